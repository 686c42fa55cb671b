// Keys of model providers.
import { type Format, format } from "../format.ts";

export const modelFormats: readonly Format[] = [
  format("Anthropic", "Anthropic key", /sk-ant-[a-z]{2,10}\d{0,2}-(?<body>[A-Za-z0-9_-]{20,})/),
  format("OpenAI", "OpenAI key", /sk-(?:proj|svcacct|admin|None)-(?<body>[A-Za-z0-9_-]{20,})/),
  format("OpenRouter", "OpenRouter key", /sk-or-v1-(?<body>[0-9a-f]{64})/),
  // OpenAI's older keys, and those of providers that adopted the prefix.
  format("OpenAI", "OpenAI key", /sk-(?<body>[A-Za-z0-9]{32,})/),
  format("Hugging Face", "Hugging Face token", /(?:hf_|api_org_)(?<body>[A-Za-z0-9]{34,})/),
  format("Replicate", "Replicate token", /r8_(?<body>[A-Za-z0-9]{37})/),
  format("Groq", "Groq key", /gsk_(?<body>[A-Za-z0-9]{48,56})/),
  format("xAI", "xAI key", /xai-(?<body>[A-Za-z0-9]{70,90})/),
  format("Perplexity", "Perplexity key", /pplx-(?<body>[A-Za-z0-9]{40,56})/),
  format("Together", "Together key", /tgp_v1_(?<body>[A-Za-z0-9_-]{40,})/),
  format("LangSmith", "LangSmith key", /lsv2_(?:pt|sk)_(?<body>[0-9a-f]{32}_[0-9a-f]{10})/),
  format("ElevenLabs", "ElevenLabs key", /sk_(?<body>[0-9a-f]{48})/),
];

// Secrets of clouds, hosts and infrastructure.
import { type Format, format } from "../format.ts";

const awsNear = /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}|aws.{0,20}secret|secret.?access.?key/i;

export const cloudFormats: readonly Format[] = [
  // AWS's documented examples end in EXAMPLE, and its real keys do not.
  format("AWS", "AWS access key", /(?:AKIA|ASIA|ABIA|ACCA)(?<body>(?![A-Z2-7]{9}EXAMPLE)[A-Z2-7]{16})/),
  format(
    "AWS",
    "AWS secret key",
    /(?<![/+=])(?<body>(?=[A-Za-z0-9/+]*[a-z])(?=[A-Za-z0-9/+]*[A-Z])(?!.{33}EXAMPLE|.{30}EXAMPLEKEY)[A-Za-z0-9/+]{40})(?![/+=])/,
    { near: awsNear, shapeless: true },
  ),
  format("AWS", "AWS Bedrock key", /ABSK(?<body>[A-Za-z0-9+/]{90,300}={0,2})/),
  format("Google Cloud", "Google API key", /AIza(?<body>[A-Za-z0-9_-]{35})(?![_-])/),
  format("Google Cloud", "Google client secret", /GOCSPX-(?<body>[A-Za-z0-9_-]{28})/),
  format("Google Cloud", "Google access token", /ya29\.(?<body>[A-Za-z0-9_-]{60,})/),
  format("Google Cloud", "Google refresh token", /1\/\/0(?<body>[A-Za-z0-9_-]{40,})/),
  format("Firebase", "Firebase server key", /AAAA(?<body>[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140})/),
  format("Microsoft Azure", "Azure storage key", /AccountKey=(?<body>[A-Za-z0-9+/]{86})==/),
  format("Microsoft Azure", "Azure shared access key", /SharedAccessKey=(?<body>[A-Za-z0-9+/]{43})=/),
  format("Microsoft Entra", "Azure client secret", /(?<body>[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?![_~.-])/),
  format("Azure DevOps", "Azure DevOps token", /(?<body>[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})/),
  format("Cloudflare", "Cloudflare token", /cf(?:k|ut|at)_(?<body>[A-Za-z0-9]{40,56})/),
  format(
    "Cloudflare",
    "Cloudflare token",
    /(?<![_-])(?<body>(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[A-Za-z0-9_-]{40})(?![_-])/,
    {
      near: /cloudflare.{0,20}(?:token|key)|\bCF_API_(?:TOKEN|KEY)\b/i,
      shapeless: true,
    },
  ),
  format("Cloudflare", "Cloudflare global key", /(?<body>[0-9a-f]{37})/, { near: /cloudflare/i }),
  format("Cloudflare", "Cloudflare origin key", /v1\.0-(?<body>[0-9a-f]{24}-[0-9a-f]{146})/),
  format("DigitalOcean", "DigitalOcean token", /do[opr]_v1_(?<body>[0-9a-f]{64})/),
  format("Alibaba Cloud", "Alibaba access key", /LTAI(?<body>[A-Za-z0-9]{12,20})/),
  format("Tencent Cloud", "Tencent secret id", /AKID(?<body>[A-Za-z0-9]{32})/),
  format("Yandex Cloud", "Yandex key", /AQVN(?<body>[A-Za-z0-9_-]{35,38})/),
  format("Heroku", "Heroku key", /HRKU-(?<body>[A-Za-z0-9_-]{36,64})/),
  format("Heroku", "Heroku key", /(?<body>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i, {
    near: /heroku.{0,20}(?:key|token)/i,
  }),
  format("Fly.io", "Fly.io token", /(?:fo1_|fm1[ar]_|fm2_)(?<body>[A-Za-z0-9+/_=-]{43,})/),
  format("Vercel", "Vercel token", /vc[pcairk]_(?<body>[A-Za-z0-9]{24,})/),
  format("Vercel", "Vercel blob token", /vercel_blob_rw_(?<body>[A-Za-z0-9]{10,}_[A-Za-z0-9]{20,})/),
  format("Vercel", "Vercel token", /(?<body>[A-Za-z0-9]{24})/, { near: /vercel.{0,20}token/i, shapeless: true }),
  format("Netlify", "Netlify token", /nf[pcoub]_(?<body>[A-Za-z0-9]{36,40})/),
  format("Render", "Render key", /rnd_(?<body>[A-Za-z0-9]{28,40})/),
  format("Supabase", "Supabase token", /sbp_(?:oauth_|v0_)?(?<body>[0-9a-f]{40})/),
  format("Supabase", "Supabase secret key", /sb_secret_(?<body>[A-Za-z0-9_-]{22,})/),
  format("Neon", "Neon key", /napi_(?<body>[a-z0-9]{60,70})/),
  format("PlanetScale", "PlanetScale secret", /pscale_(?:pw|tkn|oauth)_(?<body>[A-Za-z0-9=._-]{32,64})/),
  format("Databricks", "Databricks token", /dapi(?<body>[0-9a-f]{32}(?:-\d)?)/),
  format("HashiCorp Vault", "Vault token", /hv[sbr]\.(?<body>[A-Za-z0-9_-]{24,})/),
  format("HashiCorp Terraform", "Terraform token", /(?<body>[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})/),
  format("Pulumi", "Pulumi token", /pul-(?<body>[0-9a-f]{40})/),
  format(
    "Doppler",
    "Doppler token",
    /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?(?<body>[A-Za-z0-9]{40,44})/,
  ),
  format("1Password", "1Password service token", /ops_(?<body>eyJ[A-Za-z0-9+/_-]{200,}={0,3})/),
  format(
    "1Password",
    "1Password secret key",
    /A3-(?<body>[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3})/,
  ),
  format("Tailscale", "Tailscale key", /tskey-[a-z]+-(?<body>[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,})/),
  format("age", "age secret key", /AGE-SECRET-KEY-1(?<body>[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})/),
];

// Every format finds a token that is generated here at random: the repository itself holds nothing that looks like one.
import { describe, expect, test } from "vitest";
import { pick, seeded } from "../../testing/world/random.ts";
import { findSecrets } from "./find.ts";
import { formats } from "./formats/index.ts";
import type { AddedLine } from "./secret.ts";

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const alnum = `${lower.toUpperCase()}${lower}${digits}`;
const alphabets: Readonly<Record<string, string>> = {
  a: alnum,
  h: "0123456789abcdef",
  d: digits,
  l: `${lower}${digits}`,
  U: `${lower.toUpperCase()}${digits}`,
  w: `${alnum}_-`,
  b: `${alnum}+/`,
  A: `${lower.toUpperCase()}234567`,
  B: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
};

const choose = seeded(20_260_101);
const drawn = (alphabet: string, length: number): string =>
  Array.from({ length }, () => pick(choose, [...alphabet] as [string, ...string[]])).join("");
/** `ghp_{a36}`: 36 letters and digits after the prefix; `{u}` is a UUID. `parts` are the random parts. */
function token(template: string): { readonly text: string; readonly parts: readonly string[] } {
  const parts: string[] = [];
  const text = template
    .replace(/\{u\}/g, "{h8}-{h4}-{h4}-{h4}-{h12}")
    .replace(/\{([A-Za-z])(\d+)\}/g, (_, kind: string, length: string) => {
      parts.push(drawn(alphabets[kind] ?? alnum, Number(length)));
      return parts.at(-1) ?? "";
    });
  return { text, parts };
}
const made = (template: string): string => token(template).text;

const templates: readonly [what: string, ...texts: string[]][] = [
  [
    "GitHub token",
    "ghp_{a36}",
    "gho_{a36}",
    "ghu_{a36}",
    "ghs_{a36}",
    "ghr_{a76}",
    "github_pat_{a22}_{a59}",
    "ghs_{d7}_eyJ{w40}.eyJ{w90}.{w43}",
  ],
  [
    "GitLab token",
    "glpat-{w20}",
    "glpat-{w27}.01.{l9}",
    "gldt-{w20}",
    "glrt-{w20}",
    "glcbt-{h2}_{w20}",
    "glsoat-{w20}",
  ],
  ["GitLab runner token", "GR1348941{w20}"],
  ["Atlassian token", "ATATT3{w180}={h8}", "ATCTT3{w180}"],
  ["Bitbucket app password", "ATBB{a32}"],
  ["npm token", "npm_{a36}"],
  ["PyPI token", "pypi-AgEIcHlwaS5vcmc{w150}"],
  ["RubyGems key", "rubygems_{h48}"],
  ["crates.io token", "cio{a32}"],
  ["NuGet key", "oy2{l43}"],
  ["Clojars token", "CLOJARS_{h60}"],
  ["Artifactory key", "AKCp{a69}"],
  ["Artifactory token", "cmVmd{a59}"],
  ["Docker token", "dckr_pat_{w27}", "dckr_oat_{w32}"],
  ["CircleCI token", "CCIPAT_{a22}_{h40}"],
  ["Buildkite token", "bkua_{h40}"],
  ["Sonar token", "squ_{h40}", "sqp_{h40}"],
  ["Sourcegraph token", "sgp_{h16}_{h40}", "sgp_{h40}"],
  ["Sentry token", "sntrys_eyJ{a90}=_{a43}", "sntryu_{h64}"],
  ["New Relic key", "NRAK-{U27}", "NRII-{w32}"],
  ["New Relic licence key", "{h36}NRAL", "eu01xx{h30}NRAL"],
  ["Grafana token", "glsa_{a32}_{h8}"],
  ["Grafana Cloud token", "glc_eyJ{a80}=="],
  ["Datadog key", "DD_API_KEY={h32}", "datadog_app_key: {h40}"],
  ["Dynatrace token", "dt0c01.{U24}.{U64}"],
  ["PostHog personal key", "phx_{a43}"],
  ["Postman key", "PMAK-{h24}-{h34}"],
  ["Figma token", "figd_{w40}"],
  ["Linear key", "lin_api_{a40}", "lin_oauth_{h64}"],
  ["Notion token", "secret_{a43}", "ntn_{a46}"],
  ["Airtable token", "pat{a14}.{h64}"],
  ["Asana token", "1/{d16}:{h32}", "2/{d16}/{d16}:{h32}"],
  ["Contentful token", "CFPAT-{w43}"],
  ["Prefect key", "pnu_{a36}"],
  ["Anthropic key", "sk-ant-api03-{w93}AA", "sk-ant-admin01-{w93}AA", "sk-ant-oat01-{w93}AA"],
  ["OpenAI key", "sk-{a20}T3BlbkFJ{a20}", "sk-{a48}", "sk-proj-{w74}T3BlbkFJ{w74}", "sk-svcacct-{w74}", "sk-{h32}"],
  ["OpenRouter key", "sk-or-v1-{h64}"],
  ["Hugging Face token", "hf_{a34}", "api_org_{a34}"],
  ["Replicate token", "r8_{a37}"],
  ["Groq key", "gsk_{a52}"],
  ["xAI key", "xai-{a80}"],
  ["Perplexity key", "pplx-{a48}"],
  ["Together key", "tgp_v1_{w43}"],
  ["LangSmith key", "lsv2_pt_{h32}_{h10}"],
  ["ElevenLabs key", "sk_{h48}"],
  ["Stripe key", "sk_live_{a24}", "sk_live_{a99}", "rk_live_{a24}", "sk_org_live_{a40}"],
  ["Stripe test key", "sk_test_{a24}", "rk_test_{a99}"],
  ["Stripe webhook secret", "whsec_{a32}", "whsec_{b43}="],
  ["Square token", "EAAA{w60}"],
  ["Square secret", "sq0atp-{w22}", "sq0csp-{w43}"],
  ["Shopify token", "shpat_{h32}", "shpss_{h32}", "shpca_{h32}", "shppa_{h32}"],
  ["Braintree token", ["access_token", "production", "{l16}", "{h32}"].join("$")],
  ["Plaid token", "access-production-{u}"],
  ["Flutterwave key", "FLWSECK-{h32}-X"],
  ["EasyPost key", "EZAK{a54}"],
  ["Shippo token", "shippo_live_{h40}"],
  ["Duffel token", "duffel_live_{w43}"],
  ["SendGrid key", "SG.{w22}.{w43}"],
  ["Mailgun key", "key-{h32}", "{h32}-{h8}-{h8}"],
  ["Mailchimp key", "{h32}-us21"],
  ["Brevo key", "xkeysib-{h64}-{a16}"],
  ["Resend key", "re_{a8}_{a24}"],
  ["Twilio key", "SK{h32}"],
  ["Twilio account id", "AC{h32}"],
  ["Twilio auth token", "TWILIO_AUTH_TOKEN={h32}"],
  [
    "Slack token",
    "xoxb-{d12}-{d13}-{a24}",
    "xoxp-{d12}-{d12}-{d12}-{h32}",
    "xoxe.xoxp-1-{a146}",
    "xoxa-2-{d12}-{d12}-{h32}",
  ],
  ["Slack app token", "xapp-1-A{U10}-{d13}-{h64}"],
  ["Slack webhook", "https://hooks.slack.com/services/T{U10}/B{U10}/{a24}"],
  ["Discord bot token", "M{a23}.{w6}.{w27}", "N{a25}.{w6}.{w38}"],
  ["Discord webhook", "https://discord.com/api/webhooks/{d18}/{w68}"],
  ["Teams webhook", "https://acme.webhook.office.com/webhookb2/{u}@{u}/IncomingWebhook/{h32}/{u}"],
  ["Telegram bot token", "{d10}:AA{w33}"],
  ["Facebook token", "EAAG{a120}"],
  ["X bearer token", `${"A".repeat(22)}{a20}%3D{a50}`],
  ["HubSpot token", "pat-na1-{u}"],
  ["Typeform token", "tfp_{w59}"],
  ["Dropbox token", "sl.{w136}", "sl.u.{w136}"],
  ["Mapbox secret token", "sk.eyJ{a70}.{w22}"],
  ["Okta token", "okta: 00{w40}"],
  ["LaunchDarkly key", "sdk-{u}", "api-{u}"],
  ["JSON web token", "eyJ{w33}.eyJ{w60}.{w43}"],
  ["AWS access key", "AKIA{A16}", "ASIA{A16}"],
  ["AWS secret key", "aws_secret_access_key = {b40}", "secretAccessKey: '{b40}'"],
  ["AWS Bedrock key", "ABSK{b128}=="],
  ["Google API key", "AIza{w35}"],
  ["Google client secret", "GOCSPX-{w28}"],
  ["Google access token", "ya29.{w120}"],
  ["Google refresh token", "1//0{w90}"],
  ["Firebase server key", "AAAA{w7}:{w140}"],
  ["Azure storage key", "AccountKey={b86}=="],
  ["Azure shared access key", "SharedAccessKey={b43}="],
  ["Azure client secret", "{a3}8Q~{w34}"],
  ["Azure DevOps token", "{a76}AZDO{a4}"],
  ["Cloudflare token", "cfut_{a40}{h8}", "cfat_{a40}{h8}", "cfk_{a40}{h8}", "CLOUDFLARE_API_TOKEN={a40}"],
  ["Cloudflare global key", "cloudflare_key = {h37}"],
  ["Cloudflare origin key", "v1.0-{h24}-{h146}"],
  ["DigitalOcean token", "dop_v1_{h64}", "doo_v1_{h64}", "dor_v1_{h64}"],
  ["Alibaba access key", "LTAI{a20}"],
  ["Tencent secret id", "AKID{a32}"],
  ["Yandex key", "AQVN{w36}"],
  ["Heroku key", "HRKU-AA{w58}", "HEROKU_API_KEY={u}"],
  ["Fly.io token", "fo1_{w43}", "FlyV1 fm2_{b120}"],
  ["Vercel token", "vcp_{a56}", "VERCEL_TOKEN={a24}"],
  ["Vercel blob token", "vercel_blob_rw_{a16}_{a30}"],
  ["Netlify token", "nfp_{a36}"],
  ["Render key", "rnd_{a28}"],
  ["Supabase token", "sbp_{h40}"],
  ["Supabase secret key", "sb_secret_{w31}"],
  ["Neon key", "napi_{l64}"],
  ["PlanetScale secret", "pscale_pw_{w43}", "pscale_tkn_{w43}"],
  ["Databricks token", "dapi{h32}", "dapi{h32}-2"],
  ["Vault token", "hvs.{w24}", "hvs.{w95}", "hvb.{w140}"],
  ["Terraform token", "{a14}.atlasv1.{w67}"],
  ["Pulumi token", "pul-{h40}"],
  ["Doppler token", "dp.pt.{a43}", "dp.st.dev.{a43}"],
  ["1Password service token", "ops_eyJ{a300}"],
  ["1Password secret key", "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}"],
  ["Tailscale key", "tskey-auth-{a12}CNTRL-{a32}"],
  ["age secret key", "AGE-SECRET-KEY-1{B58}"],
];

const options = { isTest: (path: string) => path.startsWith("test/"), isLockfile: () => false };
const line = (text: string, path = "src/a.js", number = 1): AddedLine => ({ path, line: number, text });
const found = (text: string, path?: string) => findSecrets([line(text, path)], options);

/** Alone, and in the places where people put it. */
const places: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `const value = "${token}";`,
  (token) => `VALUE=${token}`,
  (token) => `  value: ${token} # rotate`,
  (token) => `{"value":"${token}"}`,
  (token) => `"first\\n${token}\\nlast"`,
  (token) => (/[=\s%]/.test(token) ? token : `?state=1%26token%3D${token}%26x=1`),
  (token) => `curl -H "Authorization: Bearer ${token}" https://api.example.com`,
];

describe("a token of a provider's format", () => {
  test.each(templates)("%s is found in any place, and is not shown", (what, ...texts) => {
    for (const { text, parts } of texts.flatMap((template) => Array.from({ length: 6 }, () => token(template))))
      for (const place of places) {
        const hits = found(place(text));
        expect(
          hits.map((hit) => hit.what),
          place(text),
        ).toContain(what);
        // Account numbers are public.
        const secret = parts.filter((part) => part.length >= 8 && /\D/.test(part));
        const shown = hits.map(({ masked }) => masked).join(" ");
        expect(secret.filter((part) => shown.includes(part))).toEqual([]);
      }
  });

  test("every format has a token here", () => {
    const known = new Set(templates.map(([what]) => what));
    expect(formats.map(({ what }) => what).filter((what) => !known.has(what))).toEqual([]);
  });

  test("refuses, except for these, which ask", () => {
    const asking = formats.filter(({ sure }) => !sure).map(({ what }) => what);
    expect(asking).toEqual(["Stripe test key", "Twilio account id", "JSON web token"]);
  });

  test("counts in a test as well", () => {
    expect(found(made("ghp_{a36}"), "test/a.test.js")).toMatchObject([{ what: "GitHub token", sure: true }]);
  });

  test("is found anywhere in a long line", () => {
    expect(found(`${"x = 1; ".repeat(20_000)}${made("ghp_{a36}")}`)).toMatchObject([{ what: "GitHub token" }]);
  });

  test("is reported once per line, however often it occurs", () => {
    const hits = found(`${made("npm_{a36}")} ${made("npm_{a36}")} ${made("ghp_{a36}")}`);
    expect(hits.map(({ what }) => what).sort()).toEqual(["GitHub token", "npm token"]);
  });
});

describe("a key without a prefix", () => {
  test("belongs to its provider where a neighbouring line names it, and is random elsewhere", () => {
    const secret = made("{b40}").replace(/^.{3}/, "aB3");
    const near = [line(`id: AKIA${made("{A16}")}`), line(`other: ${secret}`, "src/a.js", 2)];
    expect(findSecrets(near, options)[1]).toMatchObject({ what: "AWS secret key", sure: true, line: 2 });
    const far = [line(`id: AKIA${made("{A16}")}`), line(`other: ${secret}`, "src/a.js", 9)];
    expect(findSecrets(far, options)[1]).toMatchObject({ what: "random value", sure: false });
    const elsewhere = [line(`id: AKIA${made("{A16}")}`), line(`other: ${secret}`, "src/b.js", 2)];
    expect(findSecrets(elsewhere, options)[1]).toMatchObject({ what: "random value", sure: false });
  });
});

describe("a value in the place of a secret", () => {
  test.each([
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    `ghp_${"x".repeat(36)}`,
    `ghp_${"ab".repeat(18)}`,
    `npm_${"0".repeat(36)}`,
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "ghp_1234567890abcdefghijklmnopqrstuvwxyz12",
    "ghp_testtoken1234567890abcdefghijklmnop",
    "glpat-your-personal-access-token-here",
    "sk-ant-api03-replace-this-with-your-own-key",
    "xoxb-your-slack-bot-token-goes-here",
    "sk_live_yourSecretKeyGoesHere",
    `AIza${"0123456789".repeat(3)}01234`,
    `dapi${"deadbeef".repeat(4)}`,
    "hf_a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7",
    `SG.${"$"}{SENDGRID_ID}.${"$"}{SENDGRID_SECRET}`,
    "token = process.env.GITHUB_TOKEN",
  ])("%s is not a secret", (text) => {
    expect(found(text)).toEqual([]);
  });

  test.each(["1234567", "abcdefg", "example", "EXAMPLE", "qwerty", "000000", "your", "xxxx", "test"])(
    "%s inside a real key excuses nothing",
    (word) => {
      expect(found(`ghp_${made("{a20}")}${word}${made("{a20}")}`)).toMatchObject([{ sure: true }]);
      expect(found(`const apiKey = "${made("{a24}")}${word}${made("{a16}")}";`)).toMatchObject([{ sure: false }]);
    },
  );
});

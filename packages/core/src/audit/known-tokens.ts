/**
 * Tokens that their issuers gave a beginning of its own, so that they are recognised anywhere. By the issuers'
 * documentation; a token of a kind that is not here is still removed where its name precedes it.
 */
export const KNOWN_TOKENS = [
  // Model providers: OpenAI and Anthropic (sk-), Groq, xAI, Replicate, Perplexity, Hugging Face, Google.
  String.raw`sk-[\w-]{16,}`,
  String.raw`(?:gsk|pplx|hf|r8)[_-]\w{20,}`,
  String.raw`xai-\w{20,}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{20,}`,
  // Source code and packages: GitHub, GitLab, npm, PyPI, Docker.
  String.raw`gh[pousr]_[\w.-]{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`gl(?:pat|dt|rt|ptt|cbt|soat)-[\w-]{15,}`,
  String.raw`npm_\w{30,}`,
  String.raw`pypi-[\w-]{30,}`,
  String.raw`dckr_pat_[\w-]{20,}`,
  // Clouds: AWS key ids, DigitalOcean, Vault, Vercel, Cloudflare, Databricks, Tailscale.
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`,
  String.raw`do[opr]_v1_[0-9a-f]{32,}`,
  String.raw`hv[sbr]\.[\w-]{20,}`,
  String.raw`vc[piark]_\w{20,}`,
  String.raw`cf(?:k|ut|at)_\w{40,}`,
  String.raw`dapi[0-9a-fA-F]{32}`,
  String.raw`tskey-[a-z]{2,20}-[\w-]{20,}`,
  // Services: Slack, Stripe, SendGrid, Shopify, Linear, Notion, Figma, Sentry, Grafana, Square, Telegram, 1Password, age.
  String.raw`xox[a-z](?:-[\w.]+)+`,
  String.raw`xapp-[\w-]{10,}`,
  String.raw`(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`,
  // With a digit: "secret_manager-client-library" is a name.
  String.raw`(?:lin_api|ntn|secret|figd|sntrys|sntryu)_(?=[\w-]*\d)[\w-]{24,}`,
  String.raw`gl(?:c|sa)_[\w+/=]{20,}`,
  String.raw`(?:EAAA|sq0[a-z]{3}-)[\w-]{22,}`,
  String.raw`\d{8,10}:AA[\w-]{32,}`,
  String.raw`ops_eyJ[\w+/=-]{20,}`,
  String.raw`AGE-SECRET-KEY-1[0-9A-Z]{20,}`,
  // Discord's bots, Mailgun, Twilio's API keys, New Relic.
  String.raw`[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}`,
  String.raw`key-[0-9a-f]{32}(?![0-9a-f])`,
  String.raw`[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9a-f-])`,
  String.raw`SK[0-9a-f]{32}(?![0-9a-f])`,
  String.raw`NR(?:AK|II|JS|AA|RA|BR|IQ|SP)-[\w-]{20,}`,
  String.raw`[0-9a-f]{30,40}NRAL`,
]

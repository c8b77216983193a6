// Joined at run time, so that scanners for secrets find none in the repository.
export const secret = (...parts: readonly string[]): string => parts.join('')
export const letters = (count: number): string => 'aB3dE5gH7jK9mN1pQ'.repeat(20).slice(0, count)
export const hex = (count: number): string => '0123456789abcdef'.repeat(20).slice(0, count)
const pem = (kind: string): string =>
  [
    '-----BEGIN',
    `${kind} KEY-----\n${`${letters(64)}\n`.repeat(10)}${letters(60)}==\n-----END`,
    `${kind} KEY-----`,
  ].join(' ')

/** Shapes with the secret that must be gone. `known`: an independent scanner knows the shape too. */
export const SHAPES: readonly {
  readonly of: string
  readonly text: string
  readonly gone: string
  readonly known?: boolean
}[] = [
  { of: 'an AWS key id', text: secret('AK', 'IA', 'Z7QXJ4M2N6P8R5TW'), gone: 'Z7QXJ4M2N6P8R5TW' },
  {
    of: 'an AWS secret by its name',
    text: secret('AWS_SECRET_ACCESS', '_KEY=', letters(40)),
    gone: letters(40),
    known: true,
  },
  { of: 'a GitHub token', text: secret('gh', 'p_', letters(36)), gone: letters(36), known: true },
  {
    of: 'a fine-grained GitHub token',
    text: secret('github', '_pat_', letters(22), '_', letters(59)),
    gone: letters(59),
  },
  { of: 'a GitLab token', text: secret('gl', 'pat-', letters(20)), gone: letters(20), known: true },
  { of: 'an npm token', text: secret('np', 'm_', letters(36)), gone: letters(36), known: true },
  { of: 'an OpenAI key', text: secret('s', 'k-proj-', letters(48)), gone: letters(48) },
  { of: 'an Anthropic key', text: secret('s', 'k-ant-api03-', letters(93), 'AA'), gone: letters(93), known: true },
  { of: 'a Hugging Face token', text: secret('h', 'f_', letters(34)), gone: letters(34) },
  { of: 'a Google key', text: secret('AI', 'za', letters(35)), gone: letters(35) },
  {
    of: 'a Slack token',
    text: secret('xo', 'xb-123456789012-1234567890123-', letters(24)),
    gone: letters(24),
    known: true,
  },
  { of: 'a Stripe key', text: secret('s', 'k_live_', letters(24)), gone: letters(24) },
  { of: 'a SendGrid key', text: secret('S', 'G.', letters(22), '.', letters(43)), gone: letters(43), known: true },
  { of: 'a Shopify token', text: secret('shp', 'at_', hex(32)), gone: hex(32), known: true },
  { of: 'a Linear key', text: secret('lin', '_api_', letters(40)), gone: letters(40), known: true },
  { of: 'a Telegram token', text: secret('12345678', '9:AA', letters(33)), gone: letters(33) },
  { of: 'a Vault token', text: secret('hv', 's.', letters(24)), gone: letters(24) },
  { of: 'an RSA key', text: pem('RSA PRIVATE'), gone: letters(60) },
  { of: 'an OpenSSH key', text: pem('OPENSSH PRIVATE'), gone: letters(60) },
  { of: 'a key whose end is missing', text: pem('PRIVATE').slice(0, 90), gone: letters(50) },
  {
    of: 'a JSON Web Token',
    text: secret('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NSJ9.', letters(43)),
    gone: letters(43),
  },
  { of: 'a bearer token', text: secret('Authorization: Bea', 'rer ', letters(30)), gone: letters(30) },
  { of: 'basic credentials', text: secret('-H "Authorization: Bas', 'ic dXNlcjpwYXNzd29yZA=="'), gone: 'dXNlcjpwYXNz' },
  { of: 'a key header', text: secret('x-api', '-key: tiny'), gone: 'tiny' },
  { of: 'a URL with a password', text: secret('https://bob:', 'p@ss@example.com/x'), gone: 'p@ss' },
  { of: 'a database URL', text: secret('postgres://app:', 'hunter2@db.local:5432/shop'), gone: 'hunter2' },
  { of: 'a password', text: secret('pass', 'word=hunter2'), gone: 'hunter2' },
  { of: 'a password with a prefix', text: secret('DB_PASS', 'WORD: hunter2'), gone: 'hunter2' },
  { of: 'a password in quotes', text: secret('pass', 'word = "two words"'), gone: 'words' },
  { of: 'a password in JSON', text: secret('{"pass', 'word":"a\\"b c","n":1}'), gone: 'b c' },
  { of: 'a key in JSON in JSON', text: secret('"{\\"api', 'Key\\":\\"a b\\",\\"n\\":1}"'), gone: 'a b' },
  { of: 'a secret in camel case', text: secret('client', 'Secret: abc.def'), gone: 'abc.def' },
  { of: 'a connection string', text: secret('Server=db;User=a;Pass', 'word=hunter2;Pooling=1'), gone: 'hunter2' },
  { of: 'an option of a command', text: secret('tool --to', 'ken abcdef --verbose'), gone: 'abcdef' },
  { of: 'an option with its value', text: secret('tool --api-', 'key=abcdef'), gone: 'abcdef' },
  {
    of: 'a token of an app at GitHub',
    text: secret('gh', 's_12345_', letters(30), '.', letters(40), '.', letters(43)),
    gone: letters(40),
    known: true,
  },
  { of: 'a Figma token', text: secret('fig', 'd_', letters(20), '-', letters(30)), gone: letters(30), known: true },
  { of: 'a Grafana token', text: secret('gl', 'sa_', letters(32), '_0123abcd'), gone: letters(32), known: true },
  { of: 'a Grafana cloud token', text: secret('gl', 'c_', letters(60)), gone: letters(60), known: true },
  { of: 'a Vercel token', text: secret('vc', 'p_', letters(40)), gone: letters(40), known: true },
  { of: 'a Cloudflare token', text: secret('cf', 'ut_', letters(40), hex(8)), gone: letters(40), known: true },
  { of: 'a Databricks token', text: secret('dap', 'i', hex(32)), gone: hex(32), known: true },
  {
    of: 'a Tailscale key',
    text: secret('tskey', '-auth-', letters(12), '-', letters(32)),
    gone: letters(32),
    known: true,
  },
  { of: 'a Groq key', text: secret('gs', 'k_', letters(52)), gone: letters(52), known: true },
  { of: 'a Notion token', text: secret('nt', 'n_', '12345678901', letters(35)), gone: letters(35), known: true },
  {
    of: "a Discord bot's token",
    text: secret('MT', letters(24), '.', letters(6), '.', letters(38)),
    gone: letters(38),
  },
  { of: 'a Mailgun key', text: secret('ke', 'y-', hex(32)), gone: hex(32) },
  { of: 'a newer Mailgun key', text: secret(hex(32), '-', hex(8), '-', hex(8)), gone: hex(32) },
  { of: 'a Twilio key', text: secret('S', 'K', hex(32)), gone: hex(32) },
  { of: 'a New Relic key', text: secret('NRA', 'K-', letters(27).toUpperCase()), gone: letters(27).toUpperCase() },
  { of: 'a New Relic licence', text: secret(hex(36), 'NRAL'), gone: hex(36) },
  { of: 'a Docker token', text: secret('dck', 'r_pat_', letters(27)), gone: letters(27), known: true },
]

import { all, type Guard } from '../guard.ts'

/** Programs for machines, clusters, clouds, the net, keys and databases. */
export const SERVICES: readonly (readonly [string, Guard])[] = [
  // Machines, clusters, clouds.
  [
    'kubectl',
    {
      options: [
        '--kubeconfig',
        '--cache-dir',
        '--profile-output',
        '--output-directory',
        '--enable-exec',
        '--enable-alpha-plugins',
        '--helm-command',
      ],
      harmless: ['--profile', '--output'],
      reads: new Map([
        ['config', ['view', 'current-context', 'get-clusters', 'get-contexts', 'get-users', 'use-context']],
        ['plugin', ['list']],
      ]),
    },
  ],
  [
    'helm',
    {
      options: ['--post-renderer', '--post-renderer-args', '--kubeconfig', '--output-dir', '--registry-config'],
      harmless: ['--output'],
      reads: new Map([['plugin', ['list', 'ls']]]),
    },
  ],
  ['aws', { options: ['--kubeconfig'], reads: new Map([['configure', ['list', 'get', 'list-profiles']]]) }],
  ['gcloud', { options: ['--flags-file', '--ssh-flag', '--scp-flag'], words: ['ssh', 'scp', 'start-iap-tunnel'] }],
  ['az', { options: ['--output-file'], harmless: ['--output'], reads: new Map([['extension', ['list', 'show']]]) }],
  ['railway', { runs: ['code', 'connect', 'dev', 'develop', 'local', 'run', 'sandbox', 'shell', 'ssh'] }],
  ['op', { runs: ['run', 'plugin'] }],
  ...all('doppler infisical', { runs: ['run'] }),
  ['direnv', { runs: ['allow', 'edit', 'exec', 'grant', 'permit'] }],
  ...all('mise asdf', { runs: ['exec', 'x'] }),

  // The net.
  [
    'curl',
    {
      options: [
        '--config',
        '--engine',
        '--libcurl',
        '--trace',
        '--trace-ascii',
        '--stderr',
        '--cookie-jar',
        '--dump-header',
        '--hsts',
        '--alt-svc',
        '--etag-save',
        '--ssl-sessions',
      ],
      harmless: ['--cookie'],
      letters: 'cDK',
      valued: 'AbdeFHouwX',
      // Behind -w, what goes to a file.
      shape: /%output\{/,
    },
  ],
  [
    'wget',
    {
      options: [
        '--config',
        '--execute',
        '--use-askpass',
        '--output-file',
        '--append-output',
        '--rejected-log',
        '--save-cookies',
        '--hsts-file',
        '--warc-file',
      ],
      letters: 'aeo',
      valued: 'AOPTU',
    },
  ],
  [
    'rsync',
    {
      options: ['--rsh', '--rsync-path', '--remote-option', '--daemon', '--config', '--dparam', '--log-file'],
      letters: 'eM',
    },
  ],
  ...all('nc netcat', { options: ['--exec', '--sh-exec', '--lua-exec', '--output'], letters: 'ceo' }),
  [
    'nmap',
    {
      options: ['--datadir', '--append-output', '--servicedb', '--versiondb'],
      // Its own scripts have plain names. A path is a program.
      choices: [{ option: '--script', values: { has: (names) => /^[\w,*-]+$/.test(names) } }],
      // One dash does for long options too.
      shape: /^-(?:o[A-Z]|scr|dat|app|serviced|versiond)/,
    },
  ],
  ['tcpdump', { letters: 'wz' }],
  ['tshark', { options: ['--export-objects', '--export-tls-session-keys'], letters: 'wX' }],
  ['ss', { options: ['--diag', '--kill'], letters: 'DK' }],
  // It takes every abbreviation: "ip netns exec", "-batch".
  ['ip', { shape: /^(?:e|ex|exe|exec|-(?:b|ba|bat|batc|batch))$/ }],
  ...all('iptables ip6tables', { options: ['--modprobe'], letters: 'M' }),
  [
    'journalctl',
    {
      options: ['--cursor-file', '--vacuum-size', '--vacuum-time', '--vacuum-files', '--rotate'],
      harmless: ['--cursor'],
    },
  ],
  [
    'openssl',
    {
      words: ['engine'],
      shape: /^--?(?:engine|provider|provider-path|config|keylogfile|writerand|sess_out)(?:=|$)/,
    },
  ],
  ...all('gpg gpg2', {
    options: [
      '--agent-program',
      '--dirmngr-program',
      '--photo-viewer',
      '--exec-path',
      '--options',
      '--homedir',
      '--load-extension',
      '--output',
      '--log-file',
      '--logger-file',
      '--status-file',
      '--attribute-file',
    ],
    letters: 'o',
  }),
  ['ssh-keygen', { letters: 'Dw' }],
  ['ssh-add', { letters: 'sS' }],

  // Databases. Of the commands of their own shells only some that show something are covered.
  [
    'sqlite3',
    {
      shape:
        /^--?(?:cmd|init|A.*|vfs)$|^\s*\.(?!\.?\/|(?:changes|databases|dump|echo|explain|fullschema|headers?|help|indexes|indices|mode|nullvalue|schema|separator|show|stats|tables|timer|version|width)(?:\s|$))|\b(?:attach|load_extension|writefile)\b|\bedit\s*\(|\bvacuum\b.*\binto\b/ims,
    },
  ],
  [
    'psql',
    {
      options: ['--output', '--log-file'],
      letters: 'Lo',
      valued: 'cdfhpUv',
      // What stands between backticks runs in a shell, behind any command.
      shape: /`|\\(?!(?:d\w*\+?|l|x|timing|conninfo|pset|echo|q)(?:\s|$))|\bprogram\b|\blo_export\b/i,
    },
  ],
  ...all('mysql mariadb', {
    options: ['--pager', '--tee', '--plugin-dir', '--init-command', '--defaults-file', '--defaults-extra-file'],
    shape: /\\[!TPe]|\b(?:system|outfile|dumpfile|tee|pager)\b/i,
  }),
  ['redis-cli', { options: ['--rdb', '--functions-rdb'] }],
]

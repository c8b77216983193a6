import { all, type Guard } from '../guard.ts'

/** Programs for files: to find, to show, to compare, to change text, to pack, to keep versions. */
export const FILES: readonly (readonly [string, Guard])[] = [
  // Files: to find, to list, to show, to compare.
  ['find', { words: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fls', '-fprint', '-fprint0', '-fprintf'] }],
  ...all('fd fdfind', { options: ['--exec', '--exec-batch'], letters: 'xX' }),
  ['rg', { options: ['--pre', '--hostname-bin'] }],
  ['ag', { options: ['--pager'] }],
  ['ack', { options: ['--pager', '--ackrc', '--output'] }],
  ...all('ugrep ug', { options: ['--pager', '--filter', '--view', '--config', '--save-config'] }),
  ...all('bat batcat', { options: ['--pager', '--generate-config-file'], reads: new Map([['cache', []]]) }),
  ['delta', { options: ['--pager'] }],
  ['tree', { letters: 'oR' }],
  ['ncdu', { letters: 'oO' }],
  ['file', { options: ['--compile'], letters: 'C', valued: 'm' }],
  ['info', { options: ['--output', '--dribble', '--restore'], letters: 'o' }],
  ['sdiff', { options: ['--diff-program', '--output'], letters: 'o' }],
  ['diff3', { options: ['--diff-program'] }],
  [
    'cloc',
    {
      options: [
        '--vcs',
        '--extract-with',
        '--config',
        '--out',
        '--report-file',
        '--sql',
        '--write-lang-def',
        '--categorized',
        '--counted',
        '--found',
        '--ignored',
      ],
    },
  ],

  // Text.
  ['sort', { options: ['--compress-program', '--output'], letters: 'o', valued: 't' }],
  ['shuf', { options: ['--output'], letters: 'o' }],
  ['split', { options: ['--filter'] }],
  ['uniq', { written: 2, valued: 'fsw' }],
  ['xxd', { written: 2, valued: 'cglnos' }],
  ['iconv', { options: ['--output'], letters: 'o', valued: 'ft' }],
  ['base64', { options: ['--output'], letters: 'o' }],
  ['yq', { options: ['--inplace', '--in-place', '--split-exp', '--security-enable-system-operator'], letters: 'is' }],
  ['xmllint', { words: ['-o', '-shell', '--shell'], shape: /^--?output(?:=|$)/ }],
  [
    'pandoc',
    {
      options: ['--filter', '--lua-filter', '--defaults', '--pdf-engine', '--pdf-engine-opt', '--data-dir', '--log'],
      letters: 'FLd',
      valued: 'fot',
      // A reader or a writer that is a program.
      shape: /\.lua$/i,
    },
  ],
  [
    'exiftool',
    // Conditions, filters and the braces of a format are Perl.
    { shape: /^-(?:config|if\d*|api|userparam|o|out|(?:w|textout)\d?\+?!?|@|execute\d*|stay_open)$|\$\{.*;/i },
  ],

  // Archives and packages.
  [
    'tar',
    {
      options: [
        '--checkpoint-action',
        '--to-command',
        '--use-compress-program',
        '--info-script',
        '--new-volume-script',
        '--rsh-command',
        '--rmt-command',
        // Where the next volume is asked for, "!" runs a shell.
        '--multi-volume',
        // Names in such a list that begin with a dash are read as options.
        '--files-from',
        '--index-file',
        '--listed-incremental',
        '--volno-file',
        '--remove-files',
      ],
      harmless: ['--file', '--list'],
      letters: 'FgIMT',
      valued: 'Cf',
      bundled: true,
      // An archive on another machine, which a remote shell fetches.
      shape: /^[^/]*:/,
    },
  ],
  ['cpio', { options: ['--rsh-command'], shape: /^[^/]*:/ }],
  ['zip', { options: ['--unzip-command', '--logfile-path'], letters: 'T', words: ['-lf'] }],
  [
    'dpkg',
    { options: ['--pre-invoke', '--post-invoke', '--status-logger', '--admindir', '--root', '--instdir', '--log'] },
  ],
  [
    'rpm',
    {
      options: ['--eval', '--define', '--pipe', '--rcfile', '--macros', '--load', '--root', '--dbpath'],
      letters: 'DE',
    },
  ],
  ...all('apt apt-get apt-cache apt-config apt-mark aptitude', {
    options: ['--option', '--config-file'],
    letters: 'co',
  }),
  ...all('dnf yum', { options: ['--config', '--setopt', '--installroot'], letters: 'c' }),
  ['pacman', { options: ['--config', '--hookdir', '--root', '--sysroot', '--dbpath', '--logfile'], letters: 'br' }],
  [
    'brew',
    {
      runs: ['bundle', 'create', 'edit', 'exec', 'irb', 'ruby', 'sh', 'x'],
      // A formula is a program.
      shape: /\.rb$/i,
    },
  ],

  // Version control.
  ['svn', { options: ['--diff-cmd', '--diff3-cmd', '--editor-cmd', '--config-dir', '--config-option'] }],
  [
    'hg',
    {
      options: [
        '--config',
        '--config-file',
        '--cwd',
        '--repository',
        '--debugger',
        '--ssh',
        '--remotecmd',
        '--tool',
        '--command',
        '--program',
        '--output',
      ],
      letters: 'ceoRt',
      reads: new Map(['ext', 'extd', 'extdi', 'extdif', 'extdiff', 'serve'].map((name) => [name, []])),
    },
  ],
  [
    'jj',
    {
      options: ['--config', '--config-file', '--config-toml', '--repository', '--tool'],
      letters: 'R',
      reads: new Map([['config', ['get', 'list', 'l', 'path']]]),
      runs: ['util', 'fix', 'run'],
    },
  ],
]

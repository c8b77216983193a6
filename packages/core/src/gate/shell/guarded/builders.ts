import { all, type Guard } from '../guard.ts'

/** Programs that build and that check. */
export const BUILDERS: readonly (readonly [string, Guard])[] = [
  // What builds and what checks.
  [
    'go',
    {
      // "-w" is that of "go env", which keeps what it sets; "-extld" stands in -ldflags.
      shape: /^--?(?:toolexec|vettool|exec|overlay|modfile|compiler|gccgoflags|C|w)(?:=|$)|-ext(?:ld|ar|ldflags)\b/,
    },
  ],
  ['cargo', { options: ['--config'], letters: 'Z' }],
  ...all('make gmake', {
    options: ['--eval', '--file', '--makefile', '--directory', '--include-dir'],
    letters: 'CEfI',
    // What a variable is set to is expanded, and with some of them it is run.
    shape: /^[^-].*=.*\$|^(?:SHELL|\.SHELLFLAGS|MAKE|(?:GNU)?MAKEFLAGS|MAKEFILES)[:+?!]*=/s,
  }),
  [
    'npm',
    {
      options: [
        '--script-shell',
        '--shell',
        '--editor',
        '--viewer',
        '--browser',
        '--git',
        '--node-options',
        '--userconfig',
        '--globalconfig',
        '--init-module',
        '--prefix',
      ],
      harmless: ['--global', '--no'],
      letters: 'C',
      reads: new Map(['config', 'c'].map((name) => [name, ['get', 'list', 'ls']])),
      runs: ['explore', 'set'],
      handsOn: true,
    },
  ],
  ...all('gcc g++ cc c++ clang clang++', {
    shape:
      /^-(?:wrapper|fplugin|specs|B|Xclang|fpass-plugin|load|fuse-ld=.*\/|Wl,.*plugin)|^--(?:specs|config|ld-path)|^@/,
  }),
  ...all('nm ar ranlib', { options: ['--plugin'] }),
  ['prettier', { options: ['--plugin', '--plugin-search-dir', '--config'] }],
  [
    'eslint',
    {
      options: [
        '--config',
        '--plugin',
        '--parser',
        '--rulesdir',
        '--resolve-plugins-relative-to',
        '--output-file',
        '--cache-location',
        '--cache-file',
      ],
      harmless: ['--cache'],
      letters: 'co',
      choices: [
        {
          option: '--format',
          letter: 'f',
          values: new Set(
            'checkstyle compact html jslint-xml json json-with-metadata junit stylish tap unix'.split(' '),
          ),
        },
      ],
    },
  ],
  ['pylint', { options: ['--init-hook', '--load-plugins', '--rcfile', '--output'] }],
  ['mypy', { options: ['--python-executable', '--config-file', '--junit-xml'], shape: /^--[\w-]+-report(?:=|$)/ }],
  ['agent-browser', { options: ['--executable-path', '--extension', '--config', '--args'] }],
]

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROGRAMS } from '../../../src/shell/programs/programs.ts'
import { covers } from '../prefix-rules.ts'
import { runs } from '@repertoire/test-servers/properties'

/** Programs with a table of unsafe long options, by the syntax in which they read them. */
const WITH_OPTIONS = PROGRAMS.flatMap(({ names, unsafe }) => {
  const long = (unsafe?.options ?? []).filter((option) => option.startsWith('--'))
  return long.length === 0 ? [] : [{ name: names[0]!, long, syntax: unsafe?.syntax ?? 'getopt_long' }]
})

const DASHES = {
  getopt_long: ['--'],
  getopt_long_only: ['-', '--'],
  'single-dash': ['-', '--'],
  'Getopt::Long': ['-', '--', '+'],
  nopt: ['-', '--', '---', '----'],
} as const

describe('options as a program reads them', () => {
  test('[ABUSE-110] no spelling of an unsafe option is covered', () => {
    const spelled = fc.constantFrom(...WITH_OPTIONS).chain((program) =>
      fc.record({
        program: fc.constant(program),
        option: fc.constantFrom(...program.long),
        value: fc.constantFrom('', '=x'),
        spell: fc.constantFrom(
          (name: string) => name,
          (name: string) => name.toUpperCase(),
          (name: string) => name.replaceAll('-', '_'),
          (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        ),
        prefix: fc.constantFrom(...DASHES[program.syntax]),
        before: fc.constantFrom('', 'x '),
      }),
    )
    fc.assert(
      fc.property(spelled, ({ program, option, value, spell, prefix, before }) => {
        const command = `${program.name} ${before}${prefix}${spell(option.slice('--'.length))}${value} y`
        expect([command, covers(command)]).toEqual([command, false])
      }),
      { numRuns: runs(2_000) },
    )
  })

  test.each([
    // npm's nopt
    'npm test -script-shell=./x',
    'npm test ---script-shell=./x',
    'npm test -prefix=../x',
    'npm test -pref ../x',
    'npm run x -C ..',
    'npm run x -gC ..',
    'npm conf set script-shell ./x',
    'npm expl x -- id',
    'npm setScript test id',
    'npm run x --node_options=-r./x',
    'pnpm test -script-shell=./x',
    'pnpm test --config.script-shell=./x',
    'yarn --useYarnrc ./x test',
    // Perl's Getopt::Long
    'cloc -vcs=id x',
    'cloc --VCS id x',
    'cloc -Extract id x',
    'cloc +vcs=id x',
    'cloc -REPORT-FILE y x',
    'cloc --report_f y x',
    // word separators
    'kubectl kustomize x --helm_command=id',
    'kubectl kustomize x --Helm-Command=id',
    'prettier --pluginSearchDir=x y',
    // toolchains, files of arguments, projects elsewhere
    'cargo +/tmp/x check',
    'cargo +./x check',
    'cargo +custom check',
    'cargo check --manifest-path ../x/Cargo.toml',
    'cargo -C .. check',
    'rustfmt +/tmp/x y.rs',
    'gcc @x',
    'gcc-12 @x',
    'gcc -Wl,@x a.c',
    'gcc -Wl,-plugin,./x a.c',
    'gcc -Xlinker -plugin=./x a.c',
    'gcc -Wa,@x a.c',
    'clang --prefix=. a.c',
    'clang -fuse-ld=./x a.c',
    'clang --gcc-toolchain=. a.c',
    'clang -cc1 -load ./x',
    'nm @x',
    'mypy @x',
    'pytest @x',
    // values that a program runs
    'make|X!=id',
    'make|test|CC=id;',
    'make|CC=./x',
    'make|test|CC:=./x',
    'make|X ::= $(shell id)',
    'make|test|X?=$(file >y)',
    'make -j4 -f x',
    'make -kf x',
    'make --mak=x',
    'make -E x',
    'cmake -P x.cmake',
    'cmake -E rm -rf x',
    'cmake -E env id',
    'cmake -DCMAKE_PROJECT_INCLUDE=x .',
    'pdflatex -shell-escape x',
    'pdflatex --shell-escape x',
    'xelatex -enable-write18 x',
    'lualatex|\\directlua{os.execute("id")}',
    'latexmk -e x',
    'yt-dlp --exec id x',
    'yt-dlp --exec-before-download id x',
    'yt-dlp --downloader ./x y',
    'exiftool|-p|${a\n;system("id")}',
    'exiftool|-P|${a;system("id")}',
    'exiftool -IF 1 x',
    'exiftool -Config x y',
    'exiftool -SymLink=x y',
    'patch -e x y',
    'install -s --strip=id a b',
    'gio launch x.desktop',
  ])('[ABUSE-110] %s may run or write something else', (command) => {
    expect(covers(command)).toBe(false)
  })

  test.each([
    'npm install -g x',
    'npm test -s',
    'npm run x --silent',
    'npm run x -- -script-shell=x',
    'npm ci --ignore-scripts',
    'cloc src --json --by-file',
    'cargo +nightly test --release',
    'cargo +1.80.0 build',
    'cargo test -- --nocapture',
    'gcc -Wall -Wextra -Wno-unused-parameter -Werror=format -O2 -g -fPIC -shared -std=c++17 -DNAME=1 -o x.so x.c -lm -pthread',
    'make',
    'make -j8 all install VERBOSE=1 V=1',
    'cmake -S . -B build',
    'cmake --build build --target install -j 4',
    'pdflatex -interaction=nonstopmode -halt-on-error report.tex',
    'yt-dlp -x --audio-format mp3 https://a.b/c',
    'exiftool -json -GPSLatitude -EXIF:DateTimeOriginal x.jpg',
    'pytest -k slow -m unit -q --maxfail=1 tests',
    'kubectl get pods -n x -o yaml',
    'prettier --write --parser typescript src',
    'eslint src --fix --cache',
  ])('[GATE-3] %s runs and writes nothing else', (command) => {
    expect(covers(command)).toBe(true)
  })
})

describe('a program behind another one, or under another name', () => {
  test.each([
    'npx prettier --plugin=./x y',
    'npx -y prettier --plugin ./x y',
    'npx --package x prettier --plugin=./x y',
    'npx --unknown x prettier --plugin=./x y',
    'npx -c id',
    'npx --call=id',
    'npx -prefix=.. x',
    'npx env id',
    'npx bash -c id',
    'npx npx prettier --plugin=./x y',
    'bunx prettier --plugin=./x y',
    'npm exec -- prettier --plugin=./x y',
    'npm x prettier --script-shell=./x',
    'pnpm exec prettier --plugin=./x y',
    'pnpm dlx prettier --plugin=./x y',
    'yarn dlx prettier --plugin=./x y',
    'bun x prettier --plugin=./x y',
    'uv run prettier --plugin=./x y',
    'uv run --with a sqlite3 x .shell',
    'uv run env id',
    'poetry run make -f x',
    'conda run -n x xargs id',
    'bundle exec env id',
    'op run -- env id',
    `${'npx '.repeat(20)}x`,
  ])('[ABUSE-112] %s may run or write something else', (command) => {
    expect(covers(command)).toBe(false)
  })

  test.each(['op run:env id', 'mise x:-- make -f y', 'railway run:xargs id'])(
    '[ABUSE-112] nor does a rule that names the subcommand: %s',
    (rule) => {
      const [named = '', rest = ''] = rule.split(':')
      expect(covers(`${named} ${rest}`, named.split(' ').length)).toBe(false)
    },
  )

  test.each([
    'npx prettier --check .',
    'npx -y tsc --noEmit -p x',
    'npx eslint -f json src',
    'npm exec -- prettier --check .',
    'pnpm exec vitest run test',
    'uv run pytest -k x',
    'uv run --with a python x.py -c y',
    'poetry run pytest -x',
  ])('[GATE-3] %s runs and writes nothing else', (command) => {
    expect(covers(command)).toBe(true)
  })

  test.each([
    ['gtar', 'gtar -tf x --to-command=id'],
    ['bsdtar', 'bsdtar -tf x --use-compress-program id'],
    ['tar', 'tar -tf x --to-command=id'],
    ['gxargs', 'gxargs id'],
    ['gfind', "gfind . -exec id ';'"],
    ['genv', 'genv id'],
    ['gsort', 'gsort --compress-program=id x'],
    ['clang', 'clang-15 -B. x.c'],
    ['gcc', 'x86_64-linux-gnu-gcc-12 -wrapper ./x a.c'],
    ['bash', 'bash5 -c id'],
    ['vim', 'vim.tiny x'],
    ['nc', 'nc.traditional -e id a 1'],
    ['mysql', 'mariadb -e system'],
    ['gawk', 'gawk x y'],
    ['mawk', 'mawk x y'],
  ])('[ABUSE-113] the limits of %s hold for %s', (_, command) => {
    expect(covers(command)).toBe(false)
  })
})

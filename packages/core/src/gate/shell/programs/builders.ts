import { list, type Program } from './program.ts'

/** Programs that build, run tasks, check and format. */
export const BUILDERS: readonly Program[] = [
  {
    names: ['make', 'gmake'],
    runsCode: true,
    unsafe: {
      options: ['--eval', '--file', '--makefile', '--directory', '--include-dir'],
      letters: 'CEfI',
      // What a variable is set to is expanded, and with some of them it is run.
      shape: /^[^-].*=.*\$|^(?:SHELL|\.SHELLFLAGS|MAKE|(?:GNU)?MAKEFLAGS|MAKEFILES)[:+?!]*=/s,
    },
    examples: { permitted: ['make test VERBOSE=1 -j4'], refused: ['make --eval=x', 'make test SHELL=./x'] },
  },
  {
    names: list(
      'cmake ninja bazel buck meson gradle gradlew mvn mvnw ant sbt rake just task grunt gulp turbo nx tox nox',
    ),
    runsCode: true,
    examples: { permitted: ['cmake x'] },
  },
  {
    names: list('pytest jest vitest mocha tap rspec phpunit composer bundle pip pip3 docker podman'),
    runsCode: true,
    examples: { permitted: ['pytest x'] },
  },
  {
    names: ['go'],
    runsCode: true,
    unsafe: {
      syntax: 'single-dash',
      // "-w" is that of "go env", which keeps what it sets.
      options: list('-toolexec -vettool -exec -overlay -modfile -compiler -gccgoflags -C -w'),
      // These stand in -ldflags.
      shape: /-ext(?:ld|ar|ldflags)\b/,
    },
    examples: {
      permitted: ['go test ./... -run X -count=1', "go build -ldflags='-s -w'"],
      refused: ['go build -toolexec id', 'go vet --vettool=id', "go build -ldflags='-extld=./x'"],
    },
  },
  {
    names: ['cargo'],
    runsCode: true,
    unsafe: { options: ['--config'], letters: 'Z' },
    examples: { permitted: ['cargo test --all'], refused: ['cargo check --config x', 'cargo -Z x check'] },
  },
  {
    names: ['npm'],
    runsCode: true,
    unsafe: {
      syntax: 'nopt',
      options: list(
        '--script-shell --shell --editor --viewer --browser --git --node-options --userconfig --globalconfig ' +
          '--init-module --prefix',
      ),
      harmless: ['--global', '--no'],
      letters: 'C',
      readingUses: new Map(['config', 'c'].map((name) => [name, ['get', 'list', 'ls']])),
      runningSubcommands: ['explore', 'set'],
      passesOn: true,
    },
    wraps: { subcommands: ['exec', 'x'], valued: ['--package', '-c', '--call'] },
    examples: {
      permitted: ['npm run build -- --exec x', 'npm install --global x', 'npm config get registry'],
      refused: ['npm test --script-shell=./x', 'npm config set script-shell ./x', 'npm explore x -- id'],
      mutates: [
        ['npm exec -- rimraf a', 'a'],
        ['npm --silent x --package tar rimraf a', 'a'],
      ],
      harmless: ['npm rm a', 'npm run rm a'],
    },
  },
  {
    names: list('gcc g++ cc c++ clang clang++'),
    unsafe: {
      shape:
        /^-(?:wrapper|fplugin|specs|B|Xclang|fpass-plugin|load|fuse-ld=.*\/|Wl,.*plugin)|^--(?:specs|config|ld-path)|^@/,
    },
    examples: { permitted: ['gcc -Wall -O2 -o x x.c'], refused: ['gcc -wrapper ./x a.c', 'gcc @x'] },
  },
  {
    names: ['nm', 'ar', 'ranlib'],
    unsafe: { options: ['--plugin'] },
    examples: { permitted: ['nm a.o'], refused: ['nm --plugin ./x a.o'] },
  },
  {
    names: ['prettier'],
    unsafe: { options: ['--plugin', '--plugin-search-dir', '--config'] },
    examples: { permitted: ['prettier --check .'], refused: ['prettier --plugin=./x y'] },
  },
  {
    names: ['eslint'],
    unsafe: {
      options: list(
        '--config --plugin --parser --rulesdir --resolve-plugins-relative-to --output-file --cache-location --cache-file',
      ),
      harmless: ['--cache'],
      letters: 'co',
      choices: [
        {
          options: ['--format', '-f'],
          values: new Set(list('checkstyle compact html jslint-xml json json-with-metadata junit stylish tap unix')),
        },
      ],
    },
    examples: { permitted: ['eslint -f json src --cache'], refused: ['eslint -c x.js y', 'eslint -f ./x y'] },
  },
  {
    names: ['pylint'],
    unsafe: { options: ['--init-hook', '--load-plugins', '--rcfile', '--output'] },
    examples: { permitted: ['pylint x'], refused: ['pylint --init-hook=x y'] },
  },
  {
    names: ['mypy'],
    unsafe: { options: ['--python-executable', '--config-file', '--junit-xml'], shape: /^--[\w-]+-report(?:=|$)/ },
    examples: { permitted: ['mypy --strict src'], refused: ['mypy --python-executable x y', 'mypy --html-report x y'] },
  },
]

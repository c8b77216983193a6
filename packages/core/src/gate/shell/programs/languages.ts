import { list, type Program } from './program.ts'

/** Interpreters. */
export const LANGUAGES: readonly Program[] = [
  {
    names: list(
      'python python2 python3 pypy pypy3 ipython node nodejs deno tsx ts-node perl ruby irb php lua luajit rscript r julia ' +
        'java jshell groovy scala kotlin dotnet elixir iex erl ghci runghc ocaml racket guile sbcl clojure clj',
    ),
    runsCode: true,
    examples: { permitted: ['python x', 'python -c x'] },
  },
  // Their programs are a word, and run others.
  {
    names: list('awk gawk mawk nawk sed gsed dc tclsh wish expect osascript gs mlr'),
    exactOnly: 'runs-programs',
    runsCode: true,
    examples: { refused: ['awk x y'] },
  },
  // They run a command of a package, or of the project's environment.
  {
    names: ['npx', 'bunx', 'pnpx'],
    runsCode: true,
    wraps: { valued: ['-p', '--package'] },
    examples: {
      permitted: ['npx x'],
      mutates: [
        ['npx --yes rimraf@latest a', 'a'],
        ['npx -p tar rimraf a', 'a'],
      ],
    },
  },
  {
    names: ['uv'],
    runsCode: true,
    wraps: {
      subcommands: ['run'],
      valued: list(
        '-p --python --with --with-editable --with-requirements --extra --group --only-group --package --env-file ' +
          '--project --index --default-index -m --module',
      ),
      folder: ['--directory'],
    },
    examples: {
      permitted: ['uv run x', 'uv sync'],
      mutates: [
        ['uv run rm -r a', 'a'],
        ['uv --directory .. run rm -r a', '../a'],
        ['uv run --directory=.. rm -r a', '../a'],
      ],
      harmless: ['uv pip rm a'],
    },
  },
  {
    names: ['poetry', 'pdm', 'pipenv', 'conda'],
    runsCode: true,
    wraps: { subcommands: ['run'], valued: ['-n', '--name'] },
    examples: { permitted: ['poetry run x'], mutates: [['poetry run rm -r a', 'a']], harmless: ['poetry rm a'] },
  },
  {
    names: ['pnpm', 'yarn'],
    runsCode: true,
    wraps: {
      subcommands: ['exec', 'dlx'],
      commands: ['rimraf', 'del-cli', 'trash'],
      folder: ['-C', '--dir', '--cwd'],
    },
    examples: {
      permitted: ['pnpm test'],
      mutates: [
        ['pnpm exec rimraf a', 'a'],
        ['pnpm rimraf a', 'a'],
        ['pnpm -C b dlx rimraf a', 'b/a'],
      ],
      harmless: ['pnpm remove a', 'pnpm rm a', 'pnpm run rm a'],
    },
  },
  {
    names: ['bun'],
    runsCode: true,
    wraps: { subcommands: ['x'] },
    examples: { permitted: ['bun test'], mutates: [['bun x rimraf a', 'a']], harmless: ['bun run rm a'] },
  },
]

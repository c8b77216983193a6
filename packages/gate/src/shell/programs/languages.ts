import { list, type Program } from './program.ts'

/** A version by its number, which names no file. */
const PYTHON_VERSION = { has: (version: string): boolean => /^(?:python)?\d+(?:\.\d+)*$/.test(version) }

/** Interpreters. */
export const LANGUAGES: readonly Program[] = [
  {
    names: list(
      'python python2 python3 pypy pypy3 ipython node nodejs deno tsx ts-node perl ruby irb php lua luajit rscript r julia ' +
        'java jshell groovy scala kotlin dotnet elixir iex erl ghci runghc ocaml racket guile sbcl clojure clj bpython ipython3 qjs hy raku octave matlab sage gnuplot',
    ),
    runsCode: true,
    interprets: true,
    optionsUnknown: true,
    examples: { permitted: ['python x', 'python -c x'] },
  },
  // Their programs are a word, and run others.
  {
    names: list('awk gawk mawk nawk sed gsed dc tclsh wish expect osascript gs mlr conjure'),
    exactOnly: 'runs-programs',
    runsCode: true,
    examples: { refused: ['awk x y'] },
  },
  // TeX is a language as well: it writes files, and runs programs unless it is told not to.
  {
    names: list(
      'tex etex pdftex latex pdflatex xelatex xetex lualatex luatex luahbtex platex uplatex eplatex dvilualatex context ' +
        'latexmk tectonic bibtex biber makeindex',
    ),
    runsCode: true,
    unsafe: {
      known:
        /^--?(?:interaction=\w+|halt-on-error|file-line-error|no-file-line-error|draftmode|synctex=\d|version|help|no-shell-escape|quiet|silent|pdf|xelatex|lualatex|pdflatex|c|C|f|g)$/,
      // Anything but the name of a file may be commands.
      shape: /^(?!-).*[^\w./ -]/s,
    },
    examples: {
      permitted: ['pdflatex -interaction=nonstopmode -halt-on-error x.tex'],
      refused: [
        'pdflatex -shell-escape x',
        'pdflatex --shell-escape x',
        'pdflatex -enable-write18 x',
        "pdflatex '\\write18{id}'",
        'pdflatex -output-directory=x y',
      ],
    },
  },
  // They run a command of a package, or of the project's environment. Behind it stand its own options.
  {
    names: ['npx', 'bunx', 'pnpx'],
    runsCode: true,
    // `-c` takes a line for a shell.
    runsShell: true,
    unsafe: {
      syntax: 'nopt',
      known: /^-(?:-?y|-?yes|-?no|-?no-install|-?ignore-existing|-?quiet|-?q|-?bun|p|-package(?:=.*)?)$/,
    },
    wraps: { valued: ['-p', '--package'] },
    examples: {
      permitted: ['npx x', 'npx -y prettier --check .', 'npx x -c y --prefix z'],
      refused: ['npx prettier --plugin=./x y', 'npx -c id', 'npx -prefix=../x y', 'npx -p x env id'],
      mutates: [
        ['npx --yes rimraf@latest a', 'a'],
        ['npx -p tar rimraf a', 'a'],
        ["npx -c 'rm -r a'", 'a'],
      ],
    },
  },
  {
    names: ['uv'],
    runsCode: true,
    unsafe: {
      options: list(
        '--directory --project --config-file --with-editable --env-file --cache-dir --find-links --python-preference',
      ),
      harmless: ['--with', '--python'],
      choices: [{ options: ['--python', '-p'], values: PYTHON_VERSION }],
    },
    wraps: {
      subcommands: ['run', 'tool run'],
      valued: list(
        '-p --python --with --with-editable --with-requirements --extra --group --only-group --package --env-file ' +
          '--project --index --default-index -m --module',
      ),
      folder: ['--directory'],
    },
    examples: {
      permitted: [
        'uv run x',
        'uv sync',
        'uv run --with a prettier --check x',
        'uv run pytest -k x',
        'uv run --python 3.12 x',
        'uv venv -p python3.11',
      ],
      refused: [
        'uv run prettier --plugin=x y',
        'uv run --with a env id',
        'uv tool run env id',
        'uv --directory .. run x',
        'uv run -p ./x y',
        'uv run --python=/tmp/3.12 y',
        'uv run --pyt x y',
      ],
      mutates: [
        ['uv run rm -r a', 'a'],
        ['uv --directory .. run rm -r a', '../a'],
        ['uv run --directory=.. rm -r a', '../a'],
      ],
      harmless: ['uv pip rm a'],
    },
  },
  {
    names: ['uvx'],
    runsCode: true,
    unsafe: { known: /^-(?:q|v|-quiet|-verbose|-from|-with|-spec|-version|-help)$/ },
    wraps: { valued: ['--from', '--with', '--spec'] },
    examples: {
      permitted: ['uvx x --y'],
      refused: ['uvx env id', 'uvx --python ./x y'],
      mutates: [['uvx --from x rimraf a', 'a']],
    },
  },
  {
    names: ['pipx'],
    runsCode: true,
    unsafe: {
      options: ['--pip-args', '--index-url'],
      choices: [{ options: ['--python'], values: PYTHON_VERSION }],
      runningSubcommands: ['runpip', 'environment'],
    },
    wraps: { subcommands: ['run'], valued: ['--spec'] },
    examples: {
      permitted: ['pipx run x', 'pipx list', 'pipx install x --python python3.11'],
      refused: ['pipx run env id', 'pipx run --python ./x y'],
      mutates: [['pipx run --spec x rimraf a', 'a']],
      harmless: ['pipx list'],
    },
  },
  {
    names: ['poetry', 'pdm', 'pipenv', 'conda', 'mamba', 'micromamba', 'hatch', 'rye'],
    runsCode: true,
    unsafe: {
      options: list('--directory --project --prefix --cwd --cov'),
      letters: 'CPp',
      // What is set here may be a program.
      readingUses: new Map([['config', ['--list', 'list', 'get', 'show']]]),
    },
    wraps: { subcommands: ['run'], valued: ['-n', '--name', '--env', '-e'], folder: ['-C', '--directory', '--cwd'] },
    examples: {
      permitted: ['poetry run x', 'poetry run pytest -k x', 'poetry install'],
      refused: ['poetry -C .. run x', 'poetry run env id'],
      mutates: [['poetry run rm -r a', 'a']],
      harmless: ['poetry rm a'],
    },
  },
  {
    names: [
      'bundle',
      'rbenv',
      'pyenv',
      'nodenv',
      'volta',
      'fnm',
      'nvm',
      'rustup',
      'opam',
      'nix',
      'nix-shell',
      'devbox',
    ],
    runsCode: true,
    optionsUnknown: true,
    wraps: {
      subcommands: ['exec', 'run', '--command', '--run', '-c'],
      valued: ['--using', '--node', '--npm', '--yarn'],
    },
    examples: { permitted: ['bundle x'], mutates: [['bundle exec rm -r a', 'a']], harmless: ['bundle rm a'] },
  },
]

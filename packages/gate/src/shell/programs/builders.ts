import { list, type Program } from './program.ts'

/** Programs that build, run tasks, check and format. */
export const BUILDERS: readonly Program[] = [
  {
    names: ['make', 'gmake', 'remake', 'bmake', 'dmake'],
    runsCode: true,
    unsafe: {
      known:
        /^(?:-[jkBinqRrsSltvwd]*[\d.]*|-O\w*|--(?:jobs|keep-going|no-keep-going|silent|quiet|dry-run|just-print|recon|always-make|ignore-errors|question|touch|version|help|trace|output-sync|load-average|max-load|no-builtin-rules|no-builtin-variables|print-directory|no-print-directory|warn-undefined-variables)(?:=[\w.]*)?)$/,
      // What a variable is set to may be run: only numbers and switches are certain not to be.
      shape: /^(?!-)(?!\w+[:?+]?=(?:[\d.]*|true|false|yes|no|on|off|y|n)$).*[=$!]/s,
    },
    examples: {
      permitted: ['make test VERBOSE=1 -j4', 'make -sk --no-print-directory all'],
      refused: [
        'make --eval=x',
        'make -f x',
        'make test SHELL=./x',
        "make 'X!=id'",
        "make test CC='id;'",
        'make CC=./x',
        "make 'X := $(shell id)'",
      ],
    },
  },
  {
    names: ['cmake'],
    runsCode: true,
    unsafe: {
      letters: 'CEPTGA',
      valued: 'BDSU',
      options: list(
        '--toolchain --preset --install-prefix --trace-redirect --graphviz --build-tool --profiling-output',
      ),
      harmless: ['--build'],
      // A variable of the build may name a program for it: only switches, numbers and kinds of builds are certain not to.
      shape:
        /^-D(?!(?!CMAKE_)\w+(?::BOOL)?=(?:\d[\d.]*|true|false|yes|no|on|off)$|CMAKE_(?:BUILD_TYPE=(?:Debug|Release|RelWithDebInfo|MinSizeRel)|(?:EXPORT_COMPILE_COMMANDS|VERBOSE_MAKEFILE)=(?:on|off|1|0|true|false)|(?:C|CXX|CUDA)_STANDARD=\d+)$)|^--[a-z-]*=.*[;|]/i,
    },
    examples: {
      permitted: [
        'cmake x',
        'cmake -S . -B build -DENABLE_TESTS=ON -DCMAKE_BUILD_TYPE=Release',
        'cmake --build build -j 4',
      ],
      refused: [
        'cmake -P x.cmake',
        'cmake -E env id',
        'cmake -DCMAKE_C_COMPILER=./x .',
        'cmake -DCMAKE_C_COMPILER=1 .',
        'cmake -DX=./y .',
        'cmake -D X=./y .',
        'cmake -C x .',
      ],
    },
  },
  // What these run stands in the project's files, and in which of their options is not known here.
  {
    names: list(
      'ninja bazel bazelisk buck buck2 meson gradle gradlew mvn mvnw ant sbt lein mill rake just task grunt gulp turbo nx ' +
        'lerna rush tox nox invoke fab scons waf ctest cpack xcodebuild fastlane pod flutter dart swift crystal nim zig cabal stack ' +
        'mix rebar3 dune spack conan vcpkg msbuild nuget terraform tofu terragrunt pulumi packer ansible ' +
        'ansible-playbook vagrant helmfile skaffold tilt earthly',
    ),
    runsCode: true,
    optionsUnknown: true,
    examples: { permitted: ['ninja x'] },
  },
  {
    names: list(
      'jest vitest mocha ava tap jasmine karma cypress playwright rspec phpunit composer gem pip pip3 docker podman ' +
        'nerdctl docker-compose buildah pre-commit lint-staged husky npm-run-all run-s run-p nodemon pm2 vite webpack ' +
        'rollup esbuild parcel next nuxt astro svelte-kit remix gatsby ng nest expo storybook tailwindcss postcss babel ' +
        'stylelint django-admin flask uvicorn gunicorn celery alembic streamlit jupyter rails artisan',
    ),
    runsCode: true,
    optionsUnknown: true,
    examples: { permitted: ['jest x'] },
  },
  {
    names: ['pytest', 'py.test'],
    runsCode: true,
    unsafe: {
      options: list(
        '--rootdir --confcutdir --override-ini --config-file --junit-xml --junitxml --log-file --basetemp --pastebin',
      ),
      letters: 'cop',
      valued: 'kmnrW',
      shape: /^@/,
    },
    examples: { permitted: ['pytest -k x -m y tests'], refused: ['pytest -c x.ini', 'pytest -p x', 'pytest @x'] },
  },
  {
    names: list('concurrently start-server-and-test onchange chokidar watchexec'),
    exactOnly: 'runs-programs',
    runsCode: true,
    runsShell: true,
    examples: { refused: ['concurrently id'], mutates: [["concurrently 'rm -r a'", 'a']] },
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
    unsafe: {
      options: list('--config --manifest-path --target-dir --artifact-dir --out-dir --root --path --lockfile-path'),
      letters: 'ZC',
      runningSubcommands: ['rustc', 'rustdoc'],
      passesOn: true,
      // A toolchain by its path, or by a name that somebody gave to a folder.
      shape: /^\+(?!(?:stable|beta|nightly|\d+(?:\.\d+){1,2})(?:-\d{4}-\d\d-\d\d)?$)/,
    },
    examples: {
      permitted: ['cargo test --all', 'cargo +nightly fmt', 'cargo test -- --config x'],
      refused: [
        'cargo check --config x',
        'cargo -Z x check',
        'cargo +/tmp/x check',
        'cargo +x check',
        'cargo test --manifest-path=../x/Cargo.toml',
      ],
    },
  },
  {
    names: ['rustfmt'],
    unsafe: { options: ['--config-path'], shape: /^\+/ },
    examples: { permitted: ['rustfmt --check x.rs'], refused: ['rustfmt +x y'] },
  },
  {
    names: ['ruff'],
    unsafe: { options: ['--output-file'], letters: 'o' },
    examples: {
      permitted: ['ruff check --fix --output-format=json src'],
      refused: ['ruff check -o x', 'ruff check --output-file=x'],
    },
  },
  {
    names: ['tsc'],
    unsafe: {
      // What it is told to build goes where the project says. These write something else, or read options from a file.
      shape: /^--?(?:generatecpuprofile|generatetrace|tsbuildinfofile)$|^@/i,
    },
    examples: {
      permitted: ['tsc --noEmit -p tsconfig.json', 'tsc --outDir dist'],
      refused: ['tsc --generateCpuProfile x', 'tsc -generatetrace x', 'tsc @x'],
    },
  },
  {
    names: ['oxlint', 'oxfmt', 'biome'],
    runsCode: true,
    unsafe: { options: ['--config', '--config-path'], letters: 'c' },
    examples: { permitted: ['oxlint src'], refused: ['oxlint -c x y'] },
  },
  {
    names: ['rustc'],
    unsafe: {
      options: list('--codegen --sysroot --emit --extern'),
      letters: 'CZL',
      // A target in a file names a linker, and what is printed may go to a file.
      choices: [
        { options: ['--target'], values: { has: (target) => /^[\w.-]+$/.test(target) && !/\.json$/i.test(target) } },
        { options: ['--print'], values: { has: (what) => !what.includes('=') } },
      ],
      shape: /^[@+]/,
    },
    examples: {
      permitted: ['rustc x.rs -o x', 'rustc --target wasm32-wasip1 --print cfg x.rs'],
      refused: [
        'rustc -C linker=./x y.rs',
        'rustc @x',
        'rustc +x y.rs',
        'rustc --target ./x.json y.rs',
        'rustc --print=cfg=x y.rs',
      ],
    },
  },
  {
    names: list('gcc g++ cc c++ clang clang++ gfortran'),
    unsafe: {
      // Most others name a program, a plugin, another file that is written, or options for another program.
      known:
        /^-(?:[cEgSvw]|o.*|[DU]\w+(?:=[\w.+-]*)?|I.*|include|isystem.*|iquote.*|idirafter.*|L[^|]*|l[\w.+-]+|O(?:\d|s|z|g|fast)?|g(?:gdb|dwarf)?[\d-]*|std=[\w+:-]+|ansi|pedantic|pedantic-errors|pthread|pipe|static|shared|rdynamic|nostdlib|nostdinc|nostartfiles|s|M|MM|MD|MMD|MP|x|m(?:arch|tune|cpu|fpu|float-abi)=[\w+.-]+|m\d+|mno-[\w-]+|msse[\w.]*|mavx[\w.]*|W(?![lap],)[\w+-]*(?:=[\w-]+)?|Wl(?:,(?:-rpath[,=][\w./-]+|--(?:no-)?as-needed|--gc-sections|-z,\w+|-O\d|-s))+|f(?:no-)?(?!.*(?:plugin|dump|module|save|record|cc1|crash|proc-stat|mapper|integrated|use-ld|pass-))[\w-]+|f(?:visibility|sanitize|no-sanitize|lto|diagnostics-color|diagnostics-format|max-errors|message-length|template-depth|constexpr-depth|cf-protection|fp-contract|debug-prefix-map|file-prefix-map|macro-prefix-map)=[\w,.=/-]+|-version|-help)$/,
      shape: /^@/,
    },
    examples: {
      permitted: ['gcc -Wall -Wno-unused -O2 -fPIC -std=c++20 -Iinc -DX=1 -o x x.c -lm'],
      refused: [
        'gcc -wrapper ./x a.c',
        'gcc @x',
        'gcc -Wl,@x a.c',
        'gcc -Xlinker @x a.c',
        'gcc -fmodule-mapper=|id a.c',
        'gcc --for-linker=-plugin=./x a.c',
        'gcc -fplugin=./x a.c',
        'gcc -B. a.c',
      ],
    },
  },
  {
    names: list('nm ar ranlib objdump strip objcopy size readelf'),
    unsafe: { options: ['--plugin'], shape: /^(?:@|-plu)/ },
    examples: { permitted: ['nm a.o', 'nm -p a.o'], refused: ['nm --plugin ./x a.o', 'nm @x'] },
  },
  {
    names: list('ld ld.gold ld.bfd ld.lld lld mold as javac kotlinc scalac'),
    exactOnly: 'runs-programs',
    examples: { refused: ['ld @x'] },
  },
  // Their configuration is a program of the project's.
  {
    names: ['prettier', 'prettierd'],
    runsCode: true,
    unsafe: {
      options: ['--plugin', '--plugin-search-dir', '--config', '--cache-location'],
      harmless: ['--cache'],
      choices: [{ options: ['--parser'], values: { has: (name) => /^[\w-]+$/.test(name) } }],
    },
    examples: {
      permitted: ['prettier --check .', 'prettier --parser babel x'],
      refused: ['prettier --plugin=./x y', 'prettier --pluginSearchDir=x y', 'prettier --parser ./x y'],
    },
  },
  {
    names: ['eslint', 'eslint_d'],
    runsCode: true,
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
    names: ['pylint', 'flake8'],
    runsCode: true,
    unsafe: { options: list('--init-hook --load-plugins --rcfile --output --config --append-config --output-file') },
    examples: { permitted: ['pylint x'], refused: ['pylint --init-hook=x y'] },
  },
  {
    names: ['mypy', 'dmypy'],
    runsCode: true,
    unsafe: {
      options: ['--python-executable', '--config-file', '--junit-xml', '--shadow-file', '--custom-typeshed-dir'],
      shape: /^--[\w-]+-report(?:=|$)|^@/,
    },
    examples: { permitted: ['mypy --strict src'], refused: ['mypy --python-executable x y', 'mypy --html-report x y'] },
  },
]

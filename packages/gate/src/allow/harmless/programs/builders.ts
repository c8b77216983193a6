import { type HarmlessProgram, NO_OPERANDS, type WordCheck } from '../program.ts'

const CARGO = `
    -v,--verbose -vv -q,--quiet --color= --locked --offline --frozen -h !--config= !-Z= !-C=
    !--manifest-path= !--lockfile-path= !--target-dir= !--artifact-dir= !--out-dir= !--root= !--path= !--git=
    !--registry= !--index=
  `

/** A target by its name: one in a file names a linker. */
const isTarget: WordCheck = (name) => /^[\w.-]+$/.test(name) && !/\.json$/i.test(name)

const PACKAGES = '-p,--package= --workspace --all --exclude= -F,--features= --all-features --no-default-features'
const BUILD = `
    ${PACKAGES} --lib --bin= --bins --example= --examples --test= --tests --bench= --benches --all-targets
    -r,--release --profile= --target= -j,--jobs= --keep-going --ignore-rust-version --message-format= --no-run
    --no-fail-fast --doc --no-deps --document-private-items --timings --future-incompat-report
  `

const TARGET = { '--target': isTarget }

export const CARGO_PROGRAM: HarmlessProgram = {
  names: 'cargo',
  everywhere: CARGO,
  before: '-V,--version --list --explain=',
  // A toolchain by its path, or by a name that was given to a folder, may be anything.
  leading: (word) => /^\+(?:stable|beta|nightly|\d+(?:\.\d+){1,2})(?:-\d{4}-\d\d-\d\d)?$/.test(word),
  uses: {
    'build,b,check,c,clippy,doc,d,test,t,bench,run,r,fix,nextest run,nextest list,miri test,expand,llvm-cov': {
      options: `
        ${BUILD} --fix --allow-dirty --allow-staged --allow-no-vcs --edition --edition-idioms --broken-code
        --no-capture --retries= -E,--filter-expr= --html --lcov --json
      `,
      values: TARGET,
      runsCode: true,
      passesOn: { to: 'script', from: '--' },
    },
    fmt: {
      options: '--all --check -p,--package= --message-format=',
      runsCode: true,
      passesOn: { to: 'script', from: '--' },
    },
    'add,remove,rm,update,upgrade,tree,metadata,search,info,fetch,generate-lockfile,locate-project,verify-project,pkgid,version,outdated,audit,deny check,machete,owner list':
      {
        options: `
          ${PACKAGES} --dev --build --optional --no-optional --default-features --rename= --target= --dry-run -n
          --precise= --recursive --aggressive --breaking -e,--edges= -i,--invert= --prune= --depth=
          -d,--duplicates --no-dedupe --prefix= --charset= -f,--format= --format-version= --no-deps
          --filter-platform= --limit= --message-format= --public --no-public --ignore-rust-version
          -R,--root-deps-only --json -D,--deny= -W,--warn= -A,--allow=
        `,
      },
    clean: `${PACKAGES} -r,--release --profile= --doc --target= -n,--dry-run`,
    'new,init': '--bin --lib --vcs= --edition= --name=',
    'install,binstall': {
      options: `
        ${PACKAGES} --version,--vers= --bin= --bins --example= --examples -f,--force --debug --profile=
        --target= -j,--jobs= --list --no-track --ignore-rust-version --keep-going -n,--dry-run -y,--no-confirm
      `,
      values: TARGET,
      runsCode: true,
    },
    uninstall: '-p,--package= --bin=',
    package: {
      options: `${PACKAGES} -l,--list --no-verify --no-metadata --allow-dirty --target= -j,--jobs= --keep-going`,
      values: TARGET,
      runsCode: true,
    },
    publish: {
      options: `${PACKAGES} -n,--dry-run --no-verify --allow-dirty --target= -j,--jobs= --keep-going !--token=`,
      values: TARGET,
      runsCode: true,
      named: true,
    },
  },
}

/** A formula or a tap by its name: neither an address nor a file, which brew runs if it ends in `.rb`. */
const isFormula: WordCheck = (name) => /^[\w@+-](?:[\w@+/-]|\.(?=\d|cpp$))*$/.test(name)

const BREW = '-h,--help -d,--debug -q,--quiet -v,--verbose'

const BREW_READ = `
        --formula,--formulae --cask,--casks -1 -l -r -t --versions --multiple --pinned --full-name --json=?
        --installed --installed-on-request --installed-as-dependency --all -s,--search -n,--name --description
        --desc --tree --graph --dot --topological --include-build --include-optional --include-test
        --skip-recommended --include-implicit --annotate --direct --union --full --recursive --eval-all
        --missing --greedy --greedy-latest --greedy-auto-updates --fetch-HEAD --list-checks -D,--audit-debug
        !--github --category= --days= --variations --sizes --oneline --max-count=
  `

export const BREW_PROGRAM: HarmlessProgram = {
  names: 'brew',
  syntax: 'exact',
  everywhere: BREW,
  before: '--version --prefix --cellar --caskroom --cache --repository',
  uses: {
    'list,ls,info,abv,desc,deps,uses,leaves,outdated,missing,doctor,dr,config,casks,formulae,commands,options,tap-info,help,analytics state,services list,services info':
      {
        options: BREW_READ,
        operands: isFormula,
      },
    search: BREW_READ,
    'install,reinstall,upgrade,uninstall,remove,rm,update,up,tap,untap,link,ln,unlink,pin,unpin,cleanup,autoremove,migrate,postinstall,fetch,services start,services stop,services restart,services run,services kill,services cleanup,test,audit,style':
      {
        options: `
            --formula,--formulae --cask,--casks -f,--force -n,--dry-run --build-from-source,-s --force-bottle
            --only-dependencies --ignore-dependencies --include-test --HEAD --fetch-HEAD --keep-tmp --overwrite
            --display-times --adopt --skip-cask-deps --greedy -g --greedy-latest --greedy-auto-updates --zap
            --preinstall --merge --auto-update --prune= --scrub --no-binaries --binaries --require-sha
            --quarantine --no-quarantine --as-dependency --skip-post-install --skip-link --ask -y --all --strict
            --online --new !--cc= !--appdir= !--fontdir= !--language= !--custom-remote !--file=
          `,
        operands: isFormula,
        runsCode: true,
      },
    'bundle,bundle install,bundle check,bundle list,bundle cleanup': {
      options: '-f,--force --no-upgrade --no-lock --cleanup --all --formula --cask --tap --mas !--file= !-g,--global',
      operands: NO_OPERANDS,
      runsCode: true,
    },
  },
}

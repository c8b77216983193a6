import type { HarmlessProgram, WordCheck } from '../program.ts'

/** A file of requirements on this machine. */
const isFile: WordCheck = (name) => !name.includes('://')
/** A version: a path or a name could be any program. */
const isVersion: WordCheck = (name) =>
  /^(?:c?python|pypy|graalpy)?@?\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?t?$/.test(name) ||
  /^(?:[<>]=?|[=!~]=)\d+(?:\.\d+)*(?:,(?:[<>]=?|[=!~]=)\d+(?:\.\d+)*)*$/.test(name)

const PIP_VALUES = { '-r': isFile, '-c': isFile }
const UV_VALUES = { ...PIP_VALUES, '-p': isVersion, '--with-requirements': isFile, '--overrides': isFile }

const PIP = `
    -h,--help -v,--verbose -q,--quiet --no-color --no-input --disable-pip-version-check
    --no-python-version-warning --timeout= --retries= --isolated --no-cache-dir --require-virtualenv
    --exists-action= --progress-bar=
  `
/** Options that take packages or settings from elsewhere, or put files elsewhere. */
const PIP_OTHERS = `
    !-i,--index-url,--pypi-url= !--extra-index-url= !-f,--find-links= !--trusted-host= !--proxy= !--cert=
    !--client-cert= !--cache-dir= !--log= !--python= !-t,--target= !--prefix= !--root= !--report= !--src=
    !--keyring-provider= !-C,--config-settings= !--global-option= !--use-feature= !--use-deprecated=
  `

const PIP_INSTALL = `
    -r,--requirement= -c,--constraint= -e,--editable= -U,--upgrade --upgrade-strategy= --user --no-user --pre
    --no-deps --force-reinstall -I,--ignore-installed --ignore-requires-python --no-build-isolation --use-pep517
    --no-use-pep517 --check-build-dependencies --break-system-packages --compile --no-compile
    --no-warn-script-location --no-warn-conflicts --no-binary= --only-binary= --prefer-binary --require-hashes
    --no-clean --dry-run --no-index --python-version= --platform= --implementation= --abi= --group=
    --root-user-action=
  `

export const PIP_PROGRAM: HarmlessProgram = {
  names: 'pip pip3',
  everywhere: PIP + PIP_OTHERS,
  values: PIP_VALUES,
  before: '-V,--version',
  uses: {
    'list,show,freeze,check,inspect,debug,help,index versions,search,hash,completion,cache list,cache info,cache dir,cache purge,cache remove,config list,config get,config debug': `
        -o,--outdated -u,--uptodate -e,--editable -l,--local --user --path= --pre --format= --not-required
        --exclude-editable --include-editable --exclude= --all -f,--files --global --site -a,--algorithm=
        -r,--requirement=
      `,
    install: { options: PIP_INSTALL, runsCode: true },
    uninstall: '-r,--requirement= -y,--yes --break-system-packages --root-user-action=',
    'download,wheel': { options: `${PIP_INSTALL} !-d,--dest= !-w,--wheel-dir=`, runsCode: true, named: true },
  },
}

const UV_RESOLVE = `
    -p,--python= --locked --frozen --no-sync --active --isolated --exact --extra= --all-extras --no-extra=
    --group= --all-groups --no-group= --only-group= --no-default-groups --dev --no-dev --only-dev --package=
    --all-packages -U,--upgrade -P,--upgrade-package= --reinstall --reinstall-package= --resolution=
    --prerelease= --fork-strategy= --exclude-newer= --refresh --refresh-package= --no-build --no-build-package=
    --no-binary --no-binary-package= --no-build-isolation --no-build-isolation-package= --compile-bytecode
    --link-mode= --no-editable --no-sources --managed-python --no-managed-python --no-python-downloads
    -q,--quiet -v,--verbose --offline --no-progress --color= -n,--no-cache --native-tls --no-config -h,--help
    --torch-backend= --pre !--directory= !--project= !--config-file= !--cache-dir= !--env-file= !--no-env-file
    !--index= !--default-index= !-i,--index-url= !--extra-index-url= !-f,--find-links= !--index-strategy=
    !--keyring-provider= !--allow-insecure-host= !-C,--config-setting= !--config-settings-package= !-t,--target=
    !--prefix= !--script= !--python-platform=
  `

const UV_LIST = `
    -q,--quiet -v,--verbose -h,--help --show-paths --show-version-specifiers --show-with --show-extras --show-python
    --all --all-versions --all-platforms --only-installed --only-downloads --output-format= --system --resolved --rm
    --short --bump= --dry-run --bin --force --offline --no-cache --color= --outdated
  `

const UV_RUN = { runsCode: true, passesOn: { to: 'program', from: 0 } } as const

export const UV: HarmlessProgram = {
  names: 'uv',
  values: UV_VALUES,
  before: `
      -q,--quiet -v,--verbose -V,--version -h --offline --no-progress --color= -n,--no-cache --no-config
      --native-tls --no-python-downloads --managed-python !--directory= !--project= !--config-file=
      !--cache-dir= !--allow-insecure-host=
    `,
  uses: {
    run: {
      options: `${UV_RESOLVE} --with= --with-editable= --with-requirements= -m,--module -s,--script --gui-script`,
      ...UV_RUN,
    },
    'tool run': {
      options: `${UV_RESOLVE} --from= --with= --with-editable= --with-requirements= -c,--constraints=`,
      ...UV_RUN,
    },
    'tool install,tool upgrade': {
      options: `
        ${UV_RESOLVE} --from= --with= --with-executables-from= --with-editable= -e,--editable --force --all
        -c,--constraints=
      `,
      runsCode: true,
    },
    'tool list,tool dir,tool uninstall,python dir,python uninstall,cache dir,cache clean,cache prune,cache size,version,self version':
      UV_LIST,
    // A version that is a path or another name is a program, which uv runs to learn its version.
    'python list,python find,python pin': { options: UV_LIST, operands: isVersion },
    'python install': {
      options: `
        -q,--quiet -v,--verbose -h,--help -r,--reinstall -f,--force --default -U,--upgrade --no-bin !--mirror=
        !--pypy-mirror= !-i,--install-dir=
      `,
      runsCode: true,
    },
    'add,remove,sync,lock,tree,build,init,venv,export': {
      options: `
          ${UV_RESOLVE} --optional= -r,--requirements= -c,--constraints= --bounds= --raw --editable
          --no-editable --rev= --tag= --branch= --lfs --workspace --no-workspace --no-install-project
          --no-install-workspace --no-install-package= --inexact --check --dry-run --depth= -d --prune=
          --no-dedupe --invert --outdated --universal --sdist --wheel --list --no-build-logs --force-pep517
          !--clear --seed --system-site-packages --prompt= --allow-existing --relocatable --no-project --name=
          --bare --virtual --app --lib --description= --build-backend= --vcs= --no-readme --no-package
          --no-pin-python --author-from= --format= --no-hashes --no-header --no-annotate --no-emit-project
          --no-emit-workspace --no-emit-package= --show-sizes !-o,--out-dir,--output-file=
        `,
      runsCode: true,
    },
    'pip install,pip sync,pip compile,pip uninstall': {
      options: `
        ${UV_RESOLVE} -r,--requirements,--requirement= -c,--constraints,--constraint= -e,--editable=
        --overrides,--override= --system --user --no-deps --require-hashes --no-verify-hashes
        --break-system-packages --strict --dry-run -y,--yes --universal --generate-hashes --no-header
        --no-annotate --annotation-style= --no-strip-extras --no-strip-markers --python-version= --only-binary=
        --no-index --allow-empty-requirements !-o,--output-file= !-b,--build-constraints=
      `,
      runsCode: true,
    },
    'pip list,pip show,pip freeze,pip check,pip tree': `
        -q,--quiet -v,--verbose -h,--help --format= --exclude= --exclude-editable -e,--editable --outdated
        --strict -p,--python= --system -f,--files --show-version-specifiers -d,--depth= --prune= --package=
        --invert --no-dedupe --offline --no-cache --color=
      `,
    publish: { options: '--dry-run -h,--help -q,--quiet -v,--verbose', runsCode: true, named: true },
  },
}

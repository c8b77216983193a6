import { type HarmlessProgram, NO_OPERANDS, type Use, type WordCheck } from '../program.ts'

const SCRIPT = { to: 'script', from: '--' } as const
const PROGRAM = { to: 'program', from: 0 } as const

const NPM_WORKSPACES = '-w,--workspace= -ws,--workspaces --include-workspace-root --if-present'
const NPM_INSTALL = `
    ${NPM_WORKSPACES} -S,--save -D,--save-dev -O,--save-optional -P,--save-prod -B,--save-bundle -E,--save-exact
    --no-save -g,--global --omit= --include= --production --only= --ignore-scripts --no-ignore-scripts --audit
    --no-audit --no-fund --no-optional --no-bin-links --package-lock-only --no-package-lock --dry-run
    --legacy-peer-deps --strict-peer-deps --no-legacy-peer-deps --force -f --prefer-dedupe --prefer-offline
    --prefer-online --offline --install-strategy= --foreground-scripts --legacy-bundling --global-style --tag=
    --engine-strict --no-engine-strict
  `

const NPM_AUDIT = `${NPM_INSTALL} --audit-level=`

/** A package of the registry by its name, or a field: neither an address nor a folder, of which git fetches some. */
const isNameOrField: WordCheck = (word) => word === '.' || /^(?:@[^/:]+\/)?[^./:~][^/:]*$/.test(word)

const npmScript: Use = {
  // npm hands the last three on as variables, as it does with all that it does not know.
  options: `${NPM_WORKSPACES} --ignore-scripts --foreground-scripts --watch --coverage --fix`,
  runsCode: true,
  passesOn: SCRIPT,
}

export const NPM: HarmlessProgram = {
  names: 'npm',
  syntax: 'exact',
  everywhere: `
      -h,--help,-H,-? -v,--version -s,--silent -q,--quiet -d,--verbose -dd -ddd --loglevel= --json
      -p,--parseable -l,--long --no-color --color --no-progress --progress --no-update-notifier --no-timing
      -y,--yes -n,--no !--prefix=,-C= !--registry= !--userconfig= !--globalconfig= !--script-shell= !--shell=
      !--node-options= !--cache= !--logs-dir= !--editor= !--viewer= !--browser= !--git= !--init-module=
      !--pack-destination= !--proxy= !--https-proxy= !--cafile= !--ca= !--strict-ssl= !--scope= !--otp=
    `,
  uses: {
    'view,v,info,show': { options: '-w,--workspace=', operands: isNameOrField },
    'list,ls,la,ll,outdated,explain,why,query,prefix,root,ping,whoami,search,s,se,find,help-search,sbom': `${NPM_WORKSPACES} -a,--all -g,--global --depth= --omit= --include= --link --package-lock-only --production --prod --dev --only= --searchlimit= --searchopts= --sbom-format= --sbom-type=`,
    'audit,audit signatures': { options: NPM_AUDIT, operands: NO_OPERANDS },
    'fund,doctor': { operands: NO_OPERANDS },
    'audit fix': { options: NPM_AUDIT, operands: NO_OPERANDS, runsCode: true, named: true },
    'config get,config list,config ls,c get,c list,get,pkg get,cache ls,cache verify,cache clean,cache list,dist-tag ls,owner ls,access list,access get,profile get,team ls':
      { options: `${NPM_WORKSPACES} -g,--global -f,--force -L,--location=` },
    'version,shrinkwrap,prune,dedupe,ddp': {
      options: `${NPM_INSTALL} --no-git-tag-version --no-commit-hooks --preid= -m,--message= --allow-same-version`,
      runsCode: true,
    },
    'install,i,in,ins,inst,insta,instal,isnt,isnta,isntal,isntall,add,ci,clean-install,ic,install-clean,isntall-clean,install-test,it,install-ci-test,cit,update,up,upgrade,udpate,uninstall,unlink,remove,rm,r,un,link,ln,rebuild,rb':
      { options: NPM_INSTALL, runsCode: true },
    pack: { options: `${NPM_WORKSPACES} --dry-run --ignore-scripts`, runsCode: true },
    'publish,unpublish,deprecate': {
      options: `${NPM_WORKSPACES} --dry-run --access= --tag= --provenance --no-provenance --ignore-scripts -f,--force`,
      runsCode: true,
      named: true,
    },
    'run,run-script,rum,urn,test,t,tst,start,stop,restart': npmScript,
    'exec,x': {
      options: `${NPM_WORKSPACES} --package= !-c= !--call=`,
      runsCode: true,
      passesOn: { to: 'program', from: 'operand or --' },
    },
    'init,create,innit': {
      options: `
        ${NPM_WORKSPACES} -f,--force --init-author-name= --init-license= --init-version= --init-type=
        --init-private
      `,
      runsCode: true,
      passesOn: SCRIPT,
    },
  },
}

const PNPM_INSTALL = `
    -P,--prod,--production -D,--dev,--save-dev -O,--save-optional -E,--save-exact --save-peer -S,--save-prod
    --save-catalog --no-optional --no-save -g,--global --frozen-lockfile --no-frozen-lockfile
    --prefer-frozen-lockfile --fix-lockfile --lockfile-only --offline --prefer-offline --ignore-scripts
    --ignore-pnpmfile --force --shamefully-hoist --strict-peer-dependencies --no-strict-peer-dependencies
    --no-verify-store-integrity --side-effects-cache --no-lockfile --merge-git-branch-lockfiles
    --resolution-only --workspace --latest,-L -i,--interactive --depth= --allow-build=
  `

/** What pnpm reads before its subcommand, and behind it. */
const PNPM = `
    -h,--help -v,--version -r,--recursive -w,--workspace-root -F,--filter= --filter-prod= --fail-if-no-match
    -s,--silent --reporter= --loglevel= --stream --aggregate-output --color --no-color --use-stderr --no-bail
    --bail --parallel --sequential --workspace-concurrency= --if-present --sort --no-sort --reverse
    --resume-from= --report-summary --changed-files-ignore-pattern= --test-pattern= !-C,--dir=
    !--config.script-shell= !--script-shell= !--shell-mode,-c !--node-options= !--userconfig= !--globalconfig=
    !--prefix= !--pnpmfile= !--global-pnpmfile= !--registry= !--store-dir= !--modules-dir= !--virtual-store-dir=
    !--lockfile-dir= !--config=
  `

export const PNPM_PROGRAM: HarmlessProgram = {
  names: 'pnpm',
  syntax: 'exact',
  everywhere: PNPM,
  uses: {
    'list,ls,la,ll,why,outdated,licenses,licenses list,audit,root,bin,view,info,show,search,help,store path,store status,store prune,config get,config list,cat-file,find-hash,ignored-builds,fetch': `
        -P,--prod,--production -D,--dev --no-optional --only-projects --long --json --parseable -g,--global
        --depth= --compatible --audit-level= --format= --exclude-peers --latest !--fix !--find-by=
      `,
    'install,i,add,update,up,upgrade,remove,rm,uninstall,un,link,ln,unlink,rebuild,rb,dedupe,import,install-test,it,prune,ci,approve-builds':
      { options: PNPM_INSTALL, runsCode: true },
    'run,run-script': { runsCode: true, passesOn: { to: 'script', from: 0 } },
    'test,t,tst,start,stop,restart': {
      options: '--watch --coverage --run --update -u --fix',
      runsCode: true,
      passesOn: { to: 'script', from: 0 },
    },
    'exec,dlx': { options: '--package= --no-reporter-hide-prefix --allow-build=', runsCode: true, passesOn: PROGRAM },
    'create,init': {
      options: '--allow-build= --init-type= --init-package-manager',
      runsCode: true,
      passesOn: { to: 'script', from: 1 },
    },
    pack: { options: '--json --dry-run', runsCode: true },
    publish: { options: '--dry-run --access= --tag= --no-git-checks --force', runsCode: true, named: true },
    'deploy,server,setup,env,store,config,c,set,get,patch,patch-commit,patch-remove,self-update,doctor,completion,cat-index,login,logout,with,runtime,rt,clean,docs,bugs,repo,home,access,owner,team,token,profile,dist-tag,deprecate,unpublish,version,whoami,ping,pkg,set-script,explain,stage,peers,sbom,edit,explore,star,stars,unstar,hook,org,adduser,shrinkwrap': false,
    // Any other word is a script of the project or a program of its packages.
    '*': { runsCode: true, passesOn: PROGRAM },
  },
}

const YARN_INSTALL = `
    -D,--dev -P,--peer -O,--optional -E,--exact -T,--tilde -C,--caret --frozen-lockfile --immutable
    --immutable-cache --check-files --check-cache --production --prod --offline --prefer-offline
    --ignore-scripts --ignore-optional --ignore-engines --ignore-platform --non-interactive --force --flat
    --no-lockfile --pure-lockfile --no-progress --network-timeout= --network-concurrency= --silent,-s --verbose
    --json --inline-builds --mode= -W,--ignore-workspace-root-check -i,--interactive --latest -R,--recursive
    --all,-A --pattern= --audit
  `

export const YARN: HarmlessProgram = {
  names: 'yarn yarnpkg',
  syntax: 'exact',
  before: `
      -h,--help -v,--version -s,--silent --json !--cwd= !--use-yarnrc= !--script-shell= !--registry= !--proxy=
      !--https-proxy= !--modules-folder= !--cache-folder= !--global-folder= !--mutex=
    `,
  uses: {
    '': { options: YARN_INSTALL, runsCode: true, operands: NO_OPERANDS },
    'list,ls,why,info,outdated,audit,npm audit,npm info,licenses list,licenses,versions,workspaces list,workspaces info,config get,config list,cache list,cache dir,cache clean,bin,help': `
        --pattern= --depth= --json -R,--recursive -A,--all --name-only --virtuals -X,--extra= --cache
        --dependents --manifest --groups= --level= --severity= --environment= --no-deprecations --exclude=
        --ignore= -v,--verbose --since=? --no-private -f,--fields= --prod --production -h,--help
      `,
    'install,add,remove,upgrade,up,upgrade-interactive,dedupe,unlink,link,rebuild,unplug,import,check,autoclean': {
      options: `${YARN_INSTALL} --check -h,--help --private -r,--relative --integrity --verify-tree --top-level`,
      runsCode: true,
    },
    'global add,global remove,global upgrade,global list,global bin,global dir': {
      options: YARN_INSTALL,
      runsCode: true,
    },
    run: {
      options: '-T,--top-level -B,--binaries-only -s,--silent -h,--help',
      runsCode: true,
      passesOn: { to: 'program', from: 0 },
    },
    'exec,dlx': { options: '-p,--package= -q,--quiet -h,--help', runsCode: true, passesOn: PROGRAM },
    create: { runsCode: true, passesOn: { to: 'script', from: 1 } },
    init: { options: '-y,--yes -p,--private -w,--workspace -2 -i= -n=', runsCode: true },
    pack: { options: '-n,--dry-run --json', runsCode: true },
    'publish,npm publish': { options: '--access= --tag= --tolerate-republish', runsCode: true, named: true },
    'config,c,cache,policies,plugin,set,npm,global,workspace,workspaces,constraints,node,version,patch,patch-commit,login,logout,owner,team,tag,stage,explain,search,self-update,generate-lock-entry,lockfile,env,prune,unpublish,access': false,
    '*': { runsCode: true, passesOn: PROGRAM },
  },
}

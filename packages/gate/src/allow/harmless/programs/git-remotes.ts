import type { HarmlessProgram } from '../program.ts'
import { isGitAddress, NO_OPERANDS } from '../words.ts'
import { ADDRESS, REBASE, SORT, STRATEGIES } from './git-options.ts'

/** What git does with other repositories, and its extensions. */
export const GIT_REMOTES: HarmlessProgram['uses'] = {
  clone: {
    options: `
        -l,--local --no-hardlinks -s,--shared --reference= --reference-if-able= --dissociate -q,--quiet
        -v,--verbose --progress -n,--no-checkout --[no-]reject-shallow --bare --sparse --filter=
        --also-filter-submodules --mirror -o,--origin= -b,--branch= --revision= --depth= --shallow-since=
        --shallow-exclude= --[no-]single-branch --no-tags --tags --recurse-submodules,--recursive=?
        --[no-]shallow-submodules --[no-]remote-submodules -j,--jobs= --ref-format= -4,--ipv4 -6,--ipv6
        !-u,--upload-pack= !-c,--config= !--template= !--separate-git-dir= !--bundle-uri=
      `,
    operands: isGitAddress,
  },
  fetch: {
    options: `
        --all --no-all -a,--append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow
        --update-shallow --negotiation-tip= --dry-run --porcelain --[no-]write-fetch-head -f,--force -k,--keep
        --multiple --[no-]auto-maintenance --[no-]auto-gc -p,--prune --no-prune -P,--prune-tags -n,--no-tags
        --refetch --refmap= -t,--tags --recurse-submodules=? --no-recurse-submodules -j,--jobs= --set-upstream
        -u,--update-head-ok -q,--quiet -v,--verbose --progress -o,--server-option= --[no-]show-forced-updates
        -4,--ipv4 -6,--ipv6 --filter= --stdin !--upload-pack=
      `,
    operands: isGitAddress,
  },
  'lfs ls-files,lfs status,lfs version,lfs env,lfs locks,lfs fsck':
    '-l,--long -s,--size -n,--name-only -a,--all -d,--debug --deleted --porcelain --json -j',
  'lfs pull,lfs fetch,lfs checkout,lfs prune': {
    options: '-I,--include= -X,--exclude= -a,--all -p,--prune -r,--recent --dry-run -d -f,--force -v,--verbose',
  },
  'lfs track,lfs untrack': '-v,--verbose --dry-run --filename --lockable -l --not-lockable --no-excluded',
  'ls-remote': {
    options: `
        -h,--heads --branches -b -t,--tags --refs -q,--quiet --exit-code --get-url --sort= --symref
        -o,--server-option= !--upload-pack= !--exec=
      `,
    values: { '--sort': SORT['--sort'] },
    operands: isGitAddress,
  },
  pull: {
    options: `
        -q,--quiet -v,--verbose --progress --recurse-submodules=? --no-recurse-submodules --[no-]commit
        --no-edit --ff --no-ff --ff-only -n --stat --no-stat --log=? --no-log --[no-]signoff --squash
        --no-squash --[no-]verify -s,--strategy= -X,--strategy-option= --[no-]autostash
        --allow-unrelated-histories -r,--rebase=? --no-rebase --all --no-all -a,--append --depth= --deepen=
        --shallow-since= --unshallow --update-shallow --dry-run -f,--force -k,--keep -p,--prune --no-prune
        -t,--tags --no-tags -j,--jobs= --set-upstream -4,--ipv4 -6,--ipv6 -o,--server-option= !-S,--gpg-sign=?
        !--upload-pack= !--edit
      `,
    values: { '-s': STRATEGIES, '-r': REBASE },
    operands: isGitAddress,
  },
  push: {
    options: `
        --all --branches --prune --mirror -n,--dry-run --porcelain -d,--delete --tags --follow-tags
        --no-signed --[no-]atomic -o,--push-option= --force-with-lease=? --no-force-with-lease
        --[no-]force-if-includes -f,--force --repo= -u,--set-upstream --[no-]thin -q,--quiet -v,--verbose
        --progress --recurse-submodules=? --no-recurse-submodules --[no-]verify -4,--ipv4 -6,--ipv6
        !--signed=? !--receive-pack= !--exec=
      `,
    values: { '--repo': isGitAddress },
    operands: isGitAddress,
  },
  remote: { options: '-v,--verbose', operands: NO_OPERANDS },
  'remote add,remote set-url': { options: '-f -t= -m= --[no-]tags --mirror=? --push --add --delete', ...ADDRESS },
  'remote get-url,remote rename,remote remove,remote rm,remote prune,remote set-head,remote set-branches,remote show,remote update':
    {
      ...ADDRESS,
      options: '--push --all -a,--auto -d,--delete --add -n,--dry-run --[no-]progress -p,--prune -v,--verbose',
    },
  submodule: { options: '-q,--quiet --cached --recursive', operands: NO_OPERANDS },
  'submodule status,submodule init,submodule deinit,submodule sync,submodule summary,submodule absorbgitdirs':
    '-q,--quiet --cached --recursive -f,--force --all -n,--summary-limit= --files',
  'submodule update,submodule add': {
    options: `
        -q,--quiet --init --remote -N,--no-fetch -f,--force --checkout --merge --rebase
        --[no-]recommend-shallow --reference= --recursive --depth= -j,--jobs= --[no-]single-branch --progress
        -b,--branch= --name= --filter=
      `,
    ...ADDRESS,
  },
  'town sync,town status,town switch,town branch,town config,town hack,town append,town prepend':
    '-a,--all --dry-run -v,--verbose',
}

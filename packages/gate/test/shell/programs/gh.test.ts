import { describe, expect, test } from 'vitest'
import { covers } from '../prefix-rules.ts'

describe('gh', () => {
  test.each([
    'gh',
    'gh --version',
    'gh --help',
    'gh pr list -R cli/cli --json number',
    'gh pr create --title x --body y',
    'gh issue view 1 --comments',
    'gh api repos/cli/cli --jq .name',
    'gh auth status',
    'gh auth token',
    'gh repo clone cli/cli',
    'gh repo clone cli/cli dir -- --depth=1 --branch main',
    'gh repo fork cli/cli --clone -- --depth 1',
    'gh run view 1 --log',
    'gh release list',
    'gh search code x',
    'gh alias',
    'gh alias --help',
    'gh alias list',
    'gh config get editor',
    'gh extension list',
    'gh codespace list',
    'gh cs stop',
    'gh workflow run x.yml',
    'gh browse --no-browser',
  ])('[GATE-3] %s runs and writes nothing else', (command) => {
    expect(covers(command)).toBe(true)
  })

  test.each([
    'gh -R cli/cli pr list',
    'gh --help pr',
    'gh alias set x !id',
    'gh alias set --shell x id',
    'gh alias import x.yml',
    'gh alias delete x',
    'gh alias -- set x !id',
    'gh alias --clobber set x !id',
    'gh config set pager id',
    'gh config set -h github.com editor id',
    'gh config -h github.com set editor id',
    'gh extension install x/gh-y',
    'gh extension exec y',
    'gh extensions upgrade --all',
    'gh ext create x',
    'gh ext remove y',
    'gh repo clone cli/cli -- -c core.sshCommand=id',
    'gh repo clone cli/cli dir -- --config core.fsmonitor=id',
    'gh repo clone cli/cli -- --conf=core.fsmonitor=id',
    'gh repo clone cli/cli -- -u id',
    'gh repo clone cli/cli -- --depth=1 --upload-pack=id',
    'gh repo clone cli/cli -- --template=x',
    'gh repo fork cli/cli --clone -- -c a.b=c',
    'gh gist clone x -- -c a.b=c',
    'gh codespace ssh -- -o ProxyCommand=id',
    'gh codespace -c x ssh',
    'gh cs cp -e a b',
    'gh cs jupyter',
    'gh cs code',
    'gh release download -O x',
    'gh release -R a/b download',
    'gh run download 1',
    'gh attestation download x',
    'gh copilot suggest x',
    'gh some-extension',
    'gh constructor',
  ])('[ABUSE-41] %s may run or write something else', (command) => {
    expect(covers(command)).toBe(false)
  })

  test.each([
    ['gh dash --help', 2, true],
    ['gh dash -- -c a.b=c', 2, false],
    ['gh release download -D x', 3, true],
    ['gh release download -D x', 2, false],
    ['gh run download 1', 3, true],
    ['gh alias set x !id', 3, false],
    ['gh alias set x !id', 4, false],
    ['gh config set pager id', 3, false],
    ['gh repo clone a/b -- -c a.b=c', 3, false],
  ])('[ABUSE-41] of %s the rule names %i words: %s', (command, fixed, expected) => {
    expect(covers(command, fixed)).toBe(expected)
  })
})

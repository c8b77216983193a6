import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { safeGitEnvironment } from '@repertoire/gate'
import { isMissing } from '@repertoire/test-servers'
import { READERS } from '../../src/internal.ts'
import { bash, reason } from '../rules.ts'

const readers = Array.from(READERS)
const optionsOf = (text = ''): readonly string[] => text.split(' ').filter((each) => each !== '')

let folder: string

const ENV = { PATH: process.env['PATH'], HOME: '/home/of/nobody', LC_ALL: 'C.UTF-8', ...safeGitEnvironment() }

const run = (line: string): string =>
  execFileSync('bash', ['-c', `printf 'a\\nb\\n' | { ${line}; }`], {
    cwd: folder,
    env: ENV,
    encoding: 'utf8',
  })

/** Runs the examples of a reader, none of which may change the folder or its repository. */
function runExamples(name: string): void {
  const state = (): string => run('ls -A; git rev-parse HEAD; git status --porcelain')
  const before = state()
  // `diff` says by its code that files differ.
  for (const example of READERS.get(name)!.examples)
    run(/^(?:diff|cmp)/.test(example) ? `${example} || [ $? = 1 ]` : example)
  expect(state()).toBe(before)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate-readers-'))
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), 'a,b\nc,d\n')
  writeFileSync(join(folder, 'a.json'), '{"a":[{"b":1}]}')
  run('git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm first')
  writeFileSync(join(folder, 'b.txt'), 'a,b\nc,e\n')
  run('git -c user.name=a -c user.email=a@b commit -qam second && git tag v1')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('readers', () => {
  test.each(readers)('[GATE-15, ABUSE-110] %s has each option in one list', (_, reader) => {
    const all = [reader.flags, reader.values, reader.pairs, reader.optional].flatMap(optionsOf)
    expect(all.filter((option, index) => all.indexOf(option) !== index)).toEqual([])
    expect(all).not.toContain('--')
  })

  test.each(readers)('[GATE-15] a rule for %s permits its examples', async (name, { examples }) => {
    for (const example of examples) expect([example, await bash([`Bash(${name}:*)`], example)]).toEqual([example, true])
  })

  test.each(readers.filter(([name]) => !/^(?:rg|tree|file|jq|gh)\b/.test(name)))(
    '[GATE-15] the examples of %s run, and change nothing',
    runExamples,
  )

  test.skipIf(isMissing('ripgrep'))('[GATE-15] the examples of rg run, and change nothing (needs ripgrep)', () =>
    runExamples('rg'),
  )
  test.skipIf(isMissing('tree'))('[GATE-15] the examples of tree run, and change nothing (needs tree)', () =>
    runExamples('tree'),
  )
  test.skipIf(isMissing('file'))('[GATE-15] the examples of file run, and change nothing (needs file)', () =>
    runExamples('file'),
  )
  test.skipIf(isMissing('jq'))('[GATE-15] the examples of jq run, and change nothing (needs jq)', () =>
    runExamples('jq'),
  )

  test.skipIf(isMissing('gh'))(
    '[GATE-15] gh takes the options of the examples, and asks for a login (needs gh)',
    () => {
      const answerTo = (line: string) =>
        spawnSync('bash', ['-c', line], { cwd: folder, env: ENV, encoding: 'utf8' }).stderr
      const examples = readers.flatMap(([name, reader]) => (name.startsWith('gh ') ? reader.examples : []))
      for (const example of examples) {
        expect([example, answerTo(example)]).toEqual([example, expect.stringContaining('gh auth login')])
        expect(answerTo(`${example} --no-such-option`)).toContain('unknown flag: --no-such-option')
      }
    },
  )

  test.each(readers)('[GATE-15, ABUSE-39, ABUSE-130] %s takes no other option', async (name, reader) => {
    if (reader.syntax === 'words') return
    for (const option of [
      '--no-such-option',
      ...(name === 'df' ? [] : ['--output=x']),
      '--exec=id',
      '-\u00e9',
      '--ext-diff',
      '--textconv',
    ]) {
      expect([option, await bash([`Bash(${name}:*)`], `${name} ${option}`)]).toEqual([option, false])
    }
  })

  test.each(['GIT_PAGER=id git log', 'LD_PRELOAD=./x.so git log', 'GIT_PAGER="rm x" GIT_SSH=id git log'])(
    '[GATE-15, ABUSE-38] no rule for a reader permits %s',
    async (command) => {
      expect(await reason(['Bash(git log:*)'], 'Bash', { command })).toContain('sets a variable')
      expect(await bash(['Bash(git log:*)'], command.replace(/^.*(?=git log)/, ''))).toBe(true)
    },
  )

  test.each([
    ["printf -v 'a[$(x)]' y", 'printf:*'],
    ['[[ -v a[$(x)] ]]', '[[:*'],
    ["read 'a[$(x)]'", 'cat:*'],
    ["let 'a[$(x)]'", 'cat:*'],
    ["declare 'a[$(x)]=1'", 'cat:*'],
    ['cat ${x@P}', 'cat:*'],
    ['cat "a${x@P}"', 'cat:*'],
  ])('[GATE-15, ABUSE-37] %s is not permitted by %s', async (command, pattern) => {
    expect(await bash([`Bash(${pattern})`], command)).toBe(false)
  })

  test.each([
    ['git log', 'git log --outp=x'],
    ['git log', 'git log -- --output=x'],
    ['git log', 'git log --grep -- --output=x'],
    ['git log', 'git log -n -- --output=x'],
    ['git log', 'git log --date -- --output=x'],
    ['git log', 'git log --date --output=x'],
    ['git log', 'git log --exclude -p'],
    ['git log', "git log --format='%G?'"],
    ['git log', "git log --format '%GS'"],
    ['git branch --list', "git branch --list --format='%(signature)'"],
    ['git branch --list', 'git branch --list -D x'],
    ['git remote -v', 'git remote -v update'],
    ['git grep', 'git grep -Ovi x'],
    ['git grep', 'git grep -nO x'],
    ['git grep', 'git grep --open-files-in-pager=id x'],
    ['git diff', 'git diff --submodule=diff'],
    ['sort', 'sort -uo y x'],
    ['sort', 'sort -k -o y x'],
    ['sort', 'sort x -o y'],
    ['sort', 'sort -T/tmp x'],
    ['sort', 'sort -S 1 -o y'],
    ['uniq', 'uniq -- x y'],
    ['uniq', 'uniq x c'],
    ['uniq', 'uniq a*'],
    ['uniq', 'uniq a{1,2}'],
    ['find', 'find . -exec id {} +'],
    ['find', 'find . -execdir id \\;'],
    ['find', 'find . -fls x'],
    ['find', 'find . -name -- -delete'],
    ['find', 'find . -files0-from x'],
    ['find', 'find -- -delete'],
    ['find', 'find . -- -delete'],
    ['find', 'find -- . -delete'],
    ['find', 'find -- . -exec id {} +'],
    ['tree', 'tree -Lo 2 x'],
    ['tree', 'tree -Po a x'],
    ['tree', 'tree -Io a x'],
    ['uniq x', 'uniq x y'],
    ['uniq -c', 'uniq -c x y'],
    ['uniq', 'uniq x 11>&2'],
    ['uniq', 'uniq x 11>/dev/null'],
    ['uniq', 'uniq x {fd}>/dev/null'],
    ['ls', 'ls &>/dev/null touch x'],
    ['ls', 'ls &>>/dev/null touch x'],
    ['ls', 'ls &>/dev/null'],
    ['ls', 'ls >&/dev/null'],
    ['printf', "printf '%n' x"],
    ['printf', "printf %d 'x[$(id)]'"],
    ['printf', "printf '%*s' 'x[$(id)]' y"],
    ['printf', 'printf "a$X"'],
    ['git log', "git log --format='%+G?'"],
    ['git log', "git log --format='%-GK'"],
    ['git log', "git log --format='% GK'"],
    ['git branch --list', "git branch --list --format='%(*signature:grade)'"],
    ['git branch --list', 'git branch --list --sort=signature'],
    ['git tag --list', 'git tag --list --sort -signature:key'],
    ['git tag --list', 'git tag --list --sort "s$X"'],
    ['rg', 'rg -z x'],
    ['rg', 'rg --pre=id x'],
    ['diff', 'diff -l a b'],
    ['date', 'date -s 1'],
    ['date', 'date 01010000'],
    ['date', 'date +%F 01010000'],
    ['file', 'file -C -m x'],
    ['tree', 'tree -o x'],
    ['tree', 'tree -R -L 1'],
    ['jq', 'jq -L . x'],
    ['jq', 'jq \'import "a" as b; 1\''],
    ['jq', 'jq \'include "a"; 1\''],
    ['jq', 'jq \'include @text "a"; 1\''],
    ['jq', 'jq \'module {}; import"a" as b; 1\''],
    ['jq', 'jq \'import # x\n"a" as b; 1\''],
    ['printf', 'printf -v x y'],
    ['gh pr view', 'gh pr view --web'],
    ['gh pr view', 'gh pr view -w'],
    ['ls', 'ls $X'],
    ['ls', 'ls "$X"'],
    ['ls', 'ls -"$X"'],
    ['ls', 'ls {-a,b}'],
    ['ls', 'ls ~x/y'],
    ['ls', 'ls "a$(id)"'],
    ['ls', 'ls "a${x:-b}"'],
    ['ls', 'ls "a$@"'],
    ['ls', 'ls a$X'],
  ])('[GATE-15, ABUSE-41, ABUSE-110, ABUSE-111] a rule for %s does not permit %s', async (name, command) => {
    expect(await bash([`Bash(${name}:*)`], command)).toBe(false)
  })

  test.each([
    ['git log', 'git log --grep=push -5 HEAD~2..HEAD@{1}'],
    ['git log', 'git log -n5 -S x -- "src/$X"'],
    ['sort', 'sort -t- -k2,2n -r x'],
    ['sort', 'sort -rnk2 x y'],
    ['cut', "cut -d '-' -f 1"],
    ['head', 'head -n -5 x'],
    ['grep', "grep -rn 'rm -rf' ."],
    ['find', 'find src "a$X" -name \'*.ts\' ! -path "x$Y" -print'],
    ['ls', 'ls -la ~/x src/*.ts a{b,c}'],
    ['jq', "jq -rc '.[] | {a, b}' a.json"],
    ['jq', 'jq \'.imports["x"] | map(select(.name | test("import")))\' a.json'],
    ['find', "find -L . -name 'a' -print"],
    ['tree', 'tree -L 2 -P x --du .'],
    ['uniq x', 'uniq x 2>/dev/null'],
    ['uniq', 'uniq x 1>&2'],
    ['ls', 'ls >/dev/null 2>&1'],
    ['ls', 'ls 2>>/dev/null x'],
    ['printf', "printf '%-5s %5.2s%% %q%b\\n' a b"],
    ['git log', "git log --format='%h %s'"],
    ['git log', 'git log --date iso --diff-filter M --glob x'],
    ['date', 'date --rfc-3339 ns'],
    ['git tag --list', "git tag --list --sort=-version:refname 'signature*'"],
    ['git rev-list', 'git rev-list --max-parents=0 HEAD'],
    ['git status', 'git status -v'],
    ['git log --ext-diff', 'git log --ext-diff -p'],
    ['sort -o', 'sort -o y x'],
  ])('[GATE-15] a rule for %s permits %s', async (name, command) => {
    expect(await bash([`Bash(${name}:*)`], command)).toBe(true)
  })
})

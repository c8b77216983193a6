import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { virtualRunner } from '@repertoire/runners'
import { describe, expect, it, onTestFinished } from 'vitest'
import { job, text } from './job.ts'

const runner = virtualRunner()
const file = (path: string, content: string) => ({ path, bytes: Buffer.from(content), executable: false })

describe('the virtual shell', () => {
  it('[RUN-8] fails with the words of a shell where a script uses a program that it lacks', async () => {
    const { exitCode, stderr } = await runner.run(job('git status'))
    expect([exitCode, text(stderr)]).toEqual([127, 'bash: git: command not found\n'])
  })

  it('[RUN-7] limits what a script returns, and not what its commands pass on', async () => {
    const limits = { ...job('').limits, maxOutputBytes: 1_000 }
    const { exitCode, stdout } = await runner.run(job('seq 1 300000 | tail -1', { limits }))
    expect([exitCode, text(stdout)]).toEqual([0, '300000\n'])
    const flood = await runner.run(job('seq 1 1000', { limits }))
    expect(flood).toMatchObject({ exitCode: 0, dropped: { stdout: 2_893 } })
  })

  it.each([
    ['a million lines', 'seq 1 1200000 | wc -l', 0, '1200000\n', ''],
    ['many steps of awk', `awk 'BEGIN { for (i = 0; i < 120000; i++) n++; print n }'`, 0, '120000\n', ''],
    ['many lines for awk', `seq 1 120000 | awk 'END { print NR }'`, 0, '120000\n', ''],
    ['deep functions', 'f() { [ $1 -eq 0 ] || f $(($1 - 1)); }; f 300; echo ok', 0, 'ok\n', ''],
    [
      'endless functions',
      'f() { f; }; f',
      126,
      '',
      'bash: f: maximum recursion depth (400) exceeded in the virtual shell\n',
    ],
  ])('[RUN-7] is bounded by time and not by counts: %s', async (_, script, exitCode, stdout, stderr) => {
    const result = await runner.run(job(script))
    expect([result.exitCode, text(result.stdout), text(result.stderr)]).toEqual([exitCode, stdout, stderr])
  })

  it.each([
    ['echo x > /none/a; cat /none/a; echo end', 0, 'x\nend\n'],
    ['echo x > "$SKILL_DIR/new"; echo end', 1, ''],
    [String.raw`printf '\303\251\n'; echo end`, 126, ''],
    [String.raw`printf '\xc3\xa9\n'; echo end`, 0, 'é\nend\n'],
    [String.raw`printf '\u00e9\n'; echo end`, 0, 'é\nend\n'],
  ])('[RUN-8] differs from sh as the page says: %s', async (script, exitCode, stdout) => {
    const result = await runner.run(job(script))
    expect([result.exitCode, text(result.stdout)]).toEqual([exitCode, stdout])
  })

  it('[RUN-7] runs Python, with arguments, input, files and an exit code', async () => {
    const script = `import os, sys
print(sys.argv[1:], os.getcwd(), open('data/x.txt').read(), os.environ['A'], sys.stdin.read())
sys.exit(4)
`
    const files = [file('run.py', script), file('data/x.txt', 'x')]
    const changes = { interpreter: 'python3', script: 'run.py', args: ['a b', '$(id)'], files, environment: { A: '1' } }
    const result = await runner.run(job('', { ...changes, stdin: Buffer.from('in') }))
    expect(text(result.stdout)).toBe("['a b', '$(id)'] /skill x 1 in\n")
    expect(result).toMatchObject({ end: 'exited', exitCode: 4 })
  })

  it('[RUN-7] runs JavaScript', async () => {
    const files = [
      file('run.mjs', 'console.log(process.argv.slice(2).join(), process.argv[1], process.cwd()); process.exit(5)\n'),
    ]
    const result = await runner.run(job('', { interpreter: 'node', script: 'run.mjs', args: ['a b', '-m'], files }))
    expect(text(result.stdout)).toBe('a b,-m /skill/run.mjs /skill\n')
    expect(result).toMatchObject({ end: 'exited', exitCode: 5 })
  })

  it('[RUN-8] refuses arguments of an interpreter, which it would not follow', async () => {
    const refused = { code: 'SCRIPT_NOT_STARTED', message: expect.stringContaining('no arguments for "sh" itself: -e') }
    await expect(runner.run(job('true', { interpreterArgs: ['-e'] }))).rejects.toMatchObject(refused)
  })

  it('[RUN-8] says which interpreters it has', () => {
    expect(runner.supports('node')).toBe(true)
    expect(runner.supports('ruby')).toBe('The virtual shell has no "ruby": it runs sh, bash, python, python3, node.')
    expect(runner.isolation).toMatchObject({ name: 'virtual shell', isolated: true })
  })

  it('[RUN-9] ends a script that only computes at its limit', async () => {
    const limits = { ...job('').limits, timeout: 300 }
    expect(await runner.run(job('while :; do :; done', { limits }))).toMatchObject({ end: 'timed-out' })
  })

  it('[RUN-7, RUN-9, ABUSE-154] ends a script inside of one command at its limit, and the host goes on meanwhile', async () => {
    let ticks = 0
    const clock = setInterval(() => ticks++, 20)
    onTestFinished(() => clearInterval(clock))
    const limits = { ...job('').limits, timeout: 2_000 }
    const startedAt = performance.now()
    const result = await runner.run(job("echo x | sed ':a;s/x/xx/g;ta'", { limits }))
    expect(result).toMatchObject({ end: 'timed-out' })
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    expect(ticks).toBeGreaterThan(10)
  })

  it('[RUN-7, RUN-9] runs scripts one after another, and the next one after one that was ended', async () => {
    const own = virtualRunner()
    const limits = { ...job('').limits, timeout: 300 }
    const ends: unknown[] = []
    for (const script of ['echo x >"$TMPDIR/x"; A=1; cd /', 'while :; do :; done', 'ls "$TMPDIR"; echo "$A"; pwd']) {
      const { end, stdout } = await own.run(
        job(script, { limits: script.startsWith('while') ? limits : job('').limits }),
      )
      ends.push([end, text(stdout)])
    }
    expect(ends).toEqual([
      ['exited', ''],
      ['timed-out', ''],
      ['exited', '\n/skill\n'],
    ])
    await own.close?.()
  })
})

describe('a workspace in the virtual shell', () => {
  it('[RUN-8, ABUSE-54] is read through no link, and what is written there is in memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub/notes'), 'notes')
    symlinkSync('/etc/passwd', join(folder, 'sub/outer'))
    symlinkSync('notes', join(folder, 'sub/inner'))
    symlinkSync('/', join(folder, 'root'))
    const shown = virtualRunner({ workspace: { path: folder } })
    expect(shown.isolation.notes.at(-1)).toContain('what it writes there is in memory')
    const script = `cd "$WORKSPACE_DIR"; pwd; ls; ls sub; cat sub/outer root/etc/passwd sub/inner
ln -s /etc/passwd x; cat x; printf evil >sub/notes; echo y >sub/new
python3 -c "import os; print(sorted(os.listdir('sub')), open('sub/notes').read())"`
    const { stdout } = await shown.run(job(script))
    expect(text(stdout)).toBe("/workspace\nsub\nnotes\n['new', 'notes'] evil\n")
    expect(readdirSync(folder).toSorted()).toEqual(['root', 'sub'])
    expect(readFileSync(join(folder, 'sub/notes'), 'utf8')).toBe('notes')
    expect(text((await shown.run(job('ls "$WORKSPACE_DIR"'))).stdout)).toBe('sub\n')
  })

  it('[ABUSE-54] shows nothing of what the host hides', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'sub/keys'), { recursive: true })
    writeFileSync(join(folder, 'sub/keys/a'), 'secret')
    writeFileSync(join(folder, '.env'), 'secret')
    writeFileSync(join(folder, 'notes'), 'notes\n')
    const shown = virtualRunner({ workspace: { path: folder, hide: ['.env', 'sub/keys/'] } })
    const script = `cd "$WORKSPACE_DIR"
ls -A; ls sub; cat notes .env ./sub/../.env sub/keys/a .ENV; find . ; grep -r secret .; cp -r sub "$TMPDIR/copy"; cat "$TMPDIR"/copy/keys/a
mv sub other; cat other/keys/a; ln -s .env link; cat link; ln .env hard; cat hard; cp .env c; cat c; tar cf - . | tar tf -
python3 -c "
import os
for path in ('.env', 'sub/keys/a', 'sub/keys'):
    try: print(os.listdir(path) if os.path.isdir(path) else open(path).read())
    except OSError as error: print('no')
print(sorted(name for name in os.listdir('.') if name == '.env'))
"`
    const { stdout } = await shown.run(job(script))
    expect(text(stdout)).toContain('notes\n')
    expect(text(stdout)).not.toContain('secret')
    expect(text(stdout)).not.toContain('keys')
    expect(text(stdout)).toContain('no\nno\nno\n[]\n')
  })

  it('[RUN-14, ABUSE-155] has named pipes that no script opens, and large files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    writeFileSync(join(folder, 'large'), Buffer.alloc(12_000_000))
    const shown = virtualRunner({ workspace: { path: folder } })
    const script = `cd "$WORKSPACE_DIR"; cat pipe; cp pipe copy; wc -c <large; echo x >pipe; cat pipe
python3 -c "print(open('/workspace/pipe').read())"`
    const { end, stdout, stderr } = await shown.run(job(script))
    expect([end, text(stdout)]).toEqual(['exited', '12000000\nx\nx\n\n'])
    expect(text(stderr)).toContain('cat: pipe')
    await shown.close?.()
  })

  it('[RUN-8] is a folder', () => {
    const missing = { workspace: { path: join(tmpdir(), 'no', 'such', 'folder') } }
    expect(() => virtualRunner(missing)).toThrow('cannot be used')
  })

  it('[ABUSE-55] holds as much as a file may have', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const shown = virtualRunner({ workspace: { path: folder } })
    const script = 'cd "$WORKSPACE_DIR"; for i in 1 2 3 4 5; do cp "$SKILL_DIR/big" $i && echo "$i"; done'
    const files = [file('run.sh', script), file('big', 'x'.repeat(300_000))]
    const { stdout } = await shown.run(job('', { script: 'run.sh', files }))
    expect(text(stdout)).toBe('1\n2\n3\n')
    expect(readdirSync(folder)).toEqual([])
  })
})

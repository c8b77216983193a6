import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Workspace } from '@repertoire/core'
import { openBubblewrapRunner } from '@repertoire/runners'
import { isMissing } from '@repertoire/test-servers'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { job, text } from './job.ts'

const isRoot = process.getuid?.() === 0
const ORDINARY = 1_234

describe.skipIf(isMissing('bubblewrap'))('a workspace in bubblewrap (needs bubblewrap)', () => {
  let path: string

  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'workspace-'))
    mkdirSync(join(path, '.git/hooks'), { recursive: true })
    writeFileSync(join(path, '.git/config'), 'config')
    writeFileSync(join(path, 'policy.json'), '{}')
    writeFileSync(join(path, 'notes.txt'), 'notes')
    for (const entry of ['', '.git', '.git/hooks', '.git/config', 'policy.json', 'notes.txt'])
      if (isRoot) chownSync(join(path, entry), ORDINARY, ORDINARY)
  })

  afterEach(() => rmSync(path, { recursive: true }))

  async function run(workspace: Omit<Workspace, 'path'>, script: string): Promise<string> {
    const runner = await openBubblewrapRunner({ workspace: { path, ...workspace } })
    const { stdout } = await runner.run(job(script))
    await runner.close?.()
    return text(stdout)
  }

  it('[RUN-7] is read and not written by default', async () => {
    const script =
      'cd "$WORKSPACE_DIR" && cat notes.txt; echo x >new && echo written; rm notes.txt && echo removed; true'
    expect(await run({}, script)).toBe('notes')
    expect(readdirSync(path).toSorted()).toEqual(['.git', 'notes.txt', 'policy.json'])
  })

  it('[RUN-7] is written where the host says so', async () => {
    await run({ access: 'write' }, 'echo x >/workspace/new')
    expect(readFileSync(join(path, 'new'), 'utf8')).toBe('x\n')
  })

  it.runIf(['x64', 'arm64'].includes(process.arch)).each([false, true])(
    '[RUN-14, ABUSE-155] has sockets that a script reaches only with the network: %s',
    async (network) => {
      const server = createServer((socket) => void socket.end('from the host')).listen(join(path, 'agent.sock'))
      await once(server, 'listening')
      chmodSync(path, 0o755)
      chmodSync(join(path, 'agent.sock'), 0o777)
      const script = `import socket
try:
  client = socket.socket(socket.AF_UNIX)
  client.connect('/workspace/agent.sock')
  print(client.recv(99).decode())
except OSError as error: print(error.strerror)
one, other = socket.socketpair()
one.send(b'pairs work')
print(other.recv(99).decode())
`
      const runner = await openBubblewrapRunner({ workspace: { path, access: network ? 'write' : 'read' } })
      const files = [{ path: 'run.py', bytes: Buffer.from(script), executable: false }]
      const { stdout } = await runner.run(job('', { interpreter: 'python3', script: 'run.py', files, network }))
      const reached = network ? 'from the host' : 'Address family not supported by protocol'
      expect(text(stdout)).toBe(`${reached}\npairs work\n`)
      await runner.close?.()
      server.close()
    },
  )

  it.each(['read', 'write'] as const)(
    '[RUN-14, ABUSE-155] has pipes and devices that a script without the network cannot open, with access: %s',
    async (access) => {
      mkdirSync(join(path, 'deep'))
      execFileSync('mkfifo', ['-m', '666', join(path, 'deep/pipe')])
      if (isRoot) execFileSync('mknod', ['-m', '666', join(path, 'zero'), 'c', '1', '5'])
      const script = `cd /workspace; exec 2>&1
(echo x >deep/pipe) && echo written; cat deep/pipe; head -c 1 zero | wc -c; ln deep/pipe other && echo linked; rm -f deep/pipe && echo removed; cat notes.txt`
      const denied = await run({ access }, script)
      expect(denied).toMatch(/cat: deep\/pipe: Permission denied[^]*\n0\n[^]*notes$/)
      expect(denied).not.toMatch(/written|linked|removed/)
      const reader = execa('cat', [join(path, 'deep/pipe')])
      const runner = await openBubblewrapRunner({ workspace: { path, access } })
      const sent = await runner.run(job('echo "from inside" >/workspace/deep/pipe', { network: true }))
      expect([sent.exitCode, (await reader).stdout]).toEqual([0, 'from inside'])
      await runner.close?.()
    },
  )

  it('[RUN-14, ABUSE-155] refuses a pipe whose name is not UTF-8, which could not be hidden', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${path}/file-`), Buffer.of(0xff)]), 'x')
    expect(await run({}, 'ls /workspace | grep -c file-')).toBe('1\n')
    execFileSync('sh', ['-c', `mkfifo "$(printf 'pipe-\\377')"`], { cwd: path })
    const reason =
      /^The workspace "[^"]*" holds 1 sockets, named pipes and devices, and at most 500, with names in UTF-8.*: pipe-\uFFFD/
    await expect(run({}, 'true')).rejects.toThrow(reason)
  })

  it('[RUN-14] refuses more special files than can be hidden, with their names', async () => {
    const names = Array.from({ length: 501 }, (_, index) => join(path, `pipe-${index}`))
    execFileSync('mkfifo', names)
    const runner = openBubblewrapRunner({ workspace: { path } })
    await expect(runner).rejects.toThrow(
      /^The workspace "[^"]*" holds 501 sockets, named pipes and devices, and at most 500.*pipe-/,
    )
  })

  it('[ABUSE-54] keeps what is protected, by whatever way it is reached', async () => {
    const attacks = [
      'echo x >>policy.json',
      'rm -f policy.json',
      'mv policy.json elsewhere',
      'echo x >other && mv other policy.json',
      'ln policy.json link && echo x >>link',
      'chmod 777 policy.json',
      'echo x >.git/hooks/pre-commit',
      'mv .git/hooks .git/other',
      'rm -rf .git/hooks',
      'mv .git other && mkdir -p .git/hooks && echo x >.git/hooks/pre-commit',
      'rmdir .git/hooks && ln -s /tmp .git/hooks',
      'umount .git/hooks',
      'mount --bind /tmp .git/hooks',
    ]
    const script = attacks.map((attack) => `(cd /workspace && ${attack}) && echo ${JSON.stringify(attack)}`).join('\n')
    expect(await run({ access: 'write', protect: ['policy.json', '.git/hooks/'] }, `${script}\ntrue`)).toBe('')
    expect(readFileSync(join(path, 'policy.json'), 'utf8')).toBe('{}')
    expect(readdirSync(join(path, '.git/hooks'))).toEqual([])
    expect(readdirSync(path).toSorted()).toContain('.git')
  })

  it('[ABUSE-54] keeps what is protected from appearing, and leaves nothing in its place', async () => {
    const before = readdirSync(path).toSorted()
    const script = `cd /workspace
echo x >.bashrc && echo file
mkdir -p .husky/deep/hooks && echo x >.husky/deep/hooks/pre-commit && echo folder
mv .husky other && echo moved
echo fine >allowed; cat allowed; true`
    const protect = ['.bashrc', '.husky/deep/hooks/']
    expect(await run({ access: 'write', protect }, script)).toBe('fine\n')
    expect(readdirSync(path).toSorted()).toEqual([...before, 'allowed'].toSorted())
  })

  it('[ABUSE-54] keeps it protected while several scripts run, and removes what stood for it after the last', async () => {
    const runner = await openBubblewrapRunner({ workspace: { path, access: 'write', protect: ['.bashrc'] } })
    const late = runner.run(
      job('while [ ! -e /workspace/go ]; do sleep 0.05; done; echo x >/workspace/.bashrc && echo written; true'),
    )
    const { stdout } = await runner.run(job('echo x >/workspace/.bashrc && echo written; true'))
    expect(text(stdout)).toBe('')
    expect(existsSync(join(path, '.bashrc'))).toBe(true)
    writeFileSync(join(path, 'go'), '')
    expect(text((await late).stdout)).toBe('')
    expect(existsSync(join(path, '.bashrc'))).toBe(false)
    await runner.close?.()
  })

  it('[ABUSE-54] never removes an empty file of the user', async () => {
    writeFileSync(join(path, '.bashrc'), '')
    await run({ access: 'write', protect: ['.bashrc'] }, 'true')
    expect(existsSync(join(path, '.bashrc'))).toBe(true)
  })

  it.each(['protect', 'hide'] as const)(
    '[ABUSE-128] never removes what looks like a placeholder, whether in `%s`: empty and with a time stamp of zero',
    async (option) => {
      mkdirSync(join(path, 'empty/deeper'), { recursive: true })
      for (const [index, file] of ['.bashrc', 'also', 'empty/deeper', 'empty'].entries()) {
        if (index < 2) writeFileSync(join(path, file), '')
        if (isRoot) chownSync(join(path, file), ORDINARY, ORDINARY)
        utimesSync(join(path, file), 0, index === 1 ? 1 : 0)
      }
      const before = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
      await run({ access: 'write', [option]: ['.bashrc', 'also', 'empty/deeper/', 'new', '.husky/hooks/'] }, 'true')
      expect(readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(before)
    },
  )

  it('[ABUSE-128] keeps a copy of a placeholder that the user made', async () => {
    await run({ access: 'write', protect: ['.bashrc'] }, 'cp -p /workspace/.bashrc /workspace/.profile')
    await run({ access: 'write', protect: ['.bashrc', '.profile'] }, 'true')
    expect(readdirSync(path)).toContain('.profile')
    expect(readdirSync(path)).not.toContain('.bashrc')
  })

  it('[ABUSE-54] runs many scripts side by side on paths that are not there, and leaves nothing', async () => {
    const before = readdirSync(path).toSorted()
    const runners = await Promise.all(
      ['.husky/a/', '.husky/deep/hooks/', '.husky/deep/file'].map((extra) =>
        openBubblewrapRunner({ workspace: { path, access: 'write', protect: ['.husky/hooks/', extra] } }),
      ),
    )
    const runs = Array.from({ length: 4 }).flatMap(() =>
      runners.map((runner) => runner.run(job('echo x >/workspace/.husky/hooks/x && echo written; echo ran'))),
    )
    expect((await Promise.all(runs)).map(({ stdout }) => text(stdout))).toEqual(runs.map(() => 'ran\n'))
    expect(readdirSync(path).toSorted()).toEqual(before)
    for (const runner of runners) await runner.close?.()
  })

  it('[ABUSE-129] does not wait for a lock that a script holds on the workspace', async () => {
    const reader = await openBubblewrapRunner({ workspace: { path } })
    const lock = job("flock -x /workspace -c 'echo locked; while [ ! -e /workspace/go ]; do sleep 0.05; done'")
    const held = reader.run(lock)
    const writer = { access: 'write', protect: ['.bashrc'] } as const
    expect(await run(writer, 'until ! flock -n -x /workspace true; do sleep 0.05; done; touch /workspace/go')).toBe('')
    expect(text((await held).stdout)).toBe('locked\n')
    expect(existsSync(join(path, '.bashrc'))).toBe(false)
    await reader.close?.()
  })

  it('[ABUSE-129] waits for the preparation of another run no longer than its own time limit', async () => {
    const { dev, ino } = statSync(path)
    const writer = await openBubblewrapRunner({ workspace: { path, access: 'write', protect: ['.bashrc'] } })
    await writer.run(job('true'))
    const locks = `/tmp/repertoire-${isRoot ? ORDINARY : process.getuid?.()}/${dev}-${ino}.prepare`
    const holder = spawn('flock', ['-x', locks, 'sh', '-c', 'echo held; read -r _'], { stdio: 'pipe' })
    await once(holder.stdout, 'data')
    const { limits, ...rest } = job('true')
    await expect(writer.run({ ...rest, limits: { ...limits, timeout: 200 } })).rejects.toMatchObject({
      code: 'SCRIPT_NOT_STARTED',
      message: expect.stringContaining('for 0.2 seconds'),
    })
    holder.stdin.end()
    await once(holder, 'exit')
    await writer.close?.()
  })

  it('[ABUSE-54] refuses to protect what a link stands for', async () => {
    symlinkSync('.git', join(path, 'linked'))
    const refused = {
      code: 'SCRIPT_NOT_STARTED',
      message: expect.stringContaining('"linked" in the workspace is a link'),
    }
    await expect(run({ access: 'write', protect: ['linked/hooks/'] }, 'true')).rejects.toMatchObject(refused)
  })

  it.each(['read', 'write'] as const)('[ABUSE-54] hides what the host names, with access to %s', async (access) => {
    mkdirSync(join(path, 'keys'))
    writeFileSync(join(path, 'keys/a'), 'secret')
    writeFileSync(join(path, '.env'), 'secret')
    const script = `cd /workspace
cat .env keys/a policy.json .git/config; ls keys; cp -r keys "$TMPDIR/x"; cat "$TMPDIR"/x/a; ls -a | tr '\\n' ' '
for each in .env keys; do (echo x >$each; rm -rf $each; mv $each other; chmod 777 $each; ln $each link); done
mv .git other; cat other/config; cat .env; grep -r secret . ; umount .env keys; chmod 777 keys; ls keys; cat keys/a; true`
    const hide = ['.env', 'keys/', '.git/config', 'later']
    const shown = await run({ access, hide, protect: ['.git/'] }, script)
    expect(shown).toContain('.env')
    expect(shown).not.toContain('secret')
    expect(shown.replaceAll('.git', '')).not.toContain('config')
    expect(readFileSync(join(path, 'keys/a'), 'utf8')).toBe('secret')
    expect(readFileSync(join(path, '.env'), 'utf8')).toBe('secret')
    expect(readdirSync(path).toSorted()).toEqual(['.env', '.git', 'keys', 'notes.txt', 'policy.json'])
  })

  it('[ABUSE-54] refuses to hide what has another name', async () => {
    linkSync(join(path, 'notes.txt'), join(path, 'second'))
    symlinkSync('notes.txt', join(path, 'linked'))
    for (const hide of ['second', 'linked'])
      await expect(run({ hide: [hide] }, 'true')).rejects.toMatchObject({ code: 'SCRIPT_NOT_STARTED' })
    await expect(run({ hide: ['../x'] }, 'true')).rejects.toThrow('in "hide" is not a path')
  })

  it('[RUN-7] refuses paths that are not inside', async () => {
    for (const protect of ['../x', '/etc', 'a/../../b'])
      await expect(run({ access: 'write', protect: [protect] }, 'true')).rejects.toThrow(
        `"${protect}" in "protect" is not a path inside the workspace`,
      )
    const missing = openBubblewrapRunner({ workspace: { path: join(path, 'missing') } })
    await expect(missing).rejects.toMatchObject({ code: 'SCRIPT_NOT_STARTED' })
  })

  it('[ABUSE-54] refuses to protect a file that has another name', async () => {
    linkSync(join(path, 'policy.json'), join(path, 'second'))
    await expect(run({ access: 'write', protect: ['policy.json'] }, 'true')).rejects.toMatchObject({
      code: 'SCRIPT_NOT_STARTED',
      message: expect.stringContaining('cannot be protected'),
    })
  })

  it('[ABUSE-54] hides it at its own path too, where a toolchain shows that', async () => {
    mkdirSync(join(path, 'tools/bin'), { recursive: true })
    for (const file of ['tools/bin/hello', 'tools/key', 'tools/shown'])
      writeFileSync(join(path, file), '#!/bin/sh\necho hello\n', { mode: 0o755 })
    const workspace = { path, hide: ['tools/key'] }
    const runner = await openBubblewrapRunner({ workspace, toolchains: [join(path, 'tools')] })
    const script = `hello; cat "${path}/tools/key" /workspace/tools/key; head -c 2 "${path}/tools/shown"`
    const { stdout, stderr } = await runner.run(job(script))
    await runner.close?.()
    expect(text(stdout)).toBe('hello\n#!')
    expect(text(stderr).match(/Permission denied/g)).toHaveLength(2)
  })

  it('[ABUSE-54] hides it at its own path too, in the folders of the system, which show no sources', async () => {
    const runner = await openBubblewrapRunner({ workspace: { path: '/usr/lib', hide: ['os-release'] } })
    const { stdout, stderr } = await runner.run(
      job(
        'cat /usr/lib/os-release /workspace/os-release; ls -A /usr/src 2>/dev/null; touch /usr/src/new && echo written; true',
      ),
    )
    await runner.close?.()
    expect(text(stdout)).toBe('')
    expect(text(stderr).match(/Permission denied/g)).toHaveLength(2)
  })

  it.runIf(isRoot)('[RUN-8] names the folder that is closed to whom scripts run as', async () => {
    const home = join(path, 'home')
    mkdirSync(join(home, 'project'), { recursive: true })
    chmodSync(path, 0o755)
    chmodSync(home, 0o700)
    const opened = openBubblewrapRunner({ workspace: { path: join(home, 'project') } })
    await expect(opened).rejects.toMatchObject({
      code: 'SCRIPT_NOT_STARTED',
      message: expect.stringContaining(`may not enter "${home}"`),
    })
    chmodSync(home, 0o755)
    const runner = await openBubblewrapRunner({ workspace: { path: join(home, 'project') } })
    expect(text((await runner.run(job('ls -d /workspace'))).stdout)).toBe('/workspace\n')
  })

  it.runIf(isRoot)('[ABUSE-54] refuses to write to a workspace of root, since no sandbox runs as root', async () => {
    chownSync(path, 0, 0)
    const refused = { code: 'SCRIPT_NOT_STARTED', message: expect.stringContaining('belongs to root') }
    await expect(run({ access: 'write' }, 'true')).rejects.toMatchObject(refused)
  })
})

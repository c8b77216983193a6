import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { openBubblewrapRunner } from '@repertoire/runners'
import type { ScriptRunner } from '@repertoire/core'
import { isMissing } from '@repertoire/test-servers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { job, text } from './job.ts'

describe.skipIf(isMissing('bubblewrap'))('bubblewrap (needs bubblewrap)', () => {
  let runner: ScriptRunner

  beforeAll(async () => {
    runner = await openBubblewrapRunner()
  })

  afterAll(() => runner.close?.())

  async function output(script: string): Promise<string> {
    return text((await runner.run(job(script))).stdout)
  }

  it('[ABUSE-52] can change no setting of the kernel and no namespace, whoever runs the host', async () => {
    const script = `for file in core_pattern modprobe hostname sysrq panic; do
  [ -w /proc/sys/kernel/$file ] && echo "$file"
  (echo x >/proc/sys/kernel/$file) 2>/dev/null && echo "wrote $file"
done
for file in /proc/sysrq-trigger /proc/1/mem /proc/kcore /proc/kmsg; do [ -w $file ] && head -c 1 $file && echo "$file"; done
unshare --user true 2>/dev/null && echo 'user namespace'
mount -t tmpfs none /tmp 2>/dev/null && echo mounted
chroot / true 2>/dev/null && echo chroot
grep -h '^Cap' /proc/self/status | grep -v 0000000000000000
echo tried`
    expect(await output(script)).toBe('tried\n')
  })

  it('[RUN-7] counts letters, and not bytes', async () => {
    const lines = 'x=äöü; echo ${#x}; python3 -c "print(\'€\')"'
    const { stdout } = await runner.run(
      job('', {
        interpreter: 'bash',
        files: [{ path: 'run.sh', bytes: Buffer.from(lines), executable: false }],
        script: 'run.sh',
      }),
    )
    expect(text(stdout)).toBe('3\n€\n')
  })

  it('[ABUSE-49] tells nothing of the host: no users, no folders of theirs, no arguments of the sandbox', async () => {
    const runs = await runner.run(
      job(`cat /proc/*/cmdline | tr '\\0' ' '; cat /etc/passwd; ls /home /root /var /etc/ssh 2>/dev/null; ls /`, {
        environment: { TOKEN: 'secret-of-the-job' },
      }),
    )
    const shown = text(runs.stdout)
    expect(shown).not.toContain('secret-of-the-job')
    expect(shown).toContain('nobody:x:65534:65534:nobody:/tmp:/bin/sh\n')
    expect(shown).not.toContain('root:')
    expect(shown).not.toMatch(/^(home|root|var|sys|run|mnt|opt|boot)$/m)
  })

  it('[RUN-7] reaches the network only where the job may', async () => {
    const script =
      'cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d " "; [ -e /etc/resolv.conf ] && echo resolver; true'
    expect(await output(script)).toBe('lo\n')
    const allowed = text((await runner.run(job(script, { network: true }))).stdout)
    expect(allowed).not.toBe('lo\n')
  })

  it('[RUN-8] runs programs of folders that the host names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolchain-'))
    try {
      mkdirSync(join(folder, 'bin'))
      writeFileSync(join(folder, 'bin/answer'), '#!/bin/sh\necho 42 "$@"\n', { mode: 0o755 })
      chmodSync(folder, 0o755)
      const other = await openBubblewrapRunner({ toolchains: [folder] })
      expect(other.supports('answer')).toBe(true)
      expect(runner.supports('answer')).toMatch(/^The sandbox has no "answer"/)
      const { stdout } = await other.run(job('', { interpreter: 'answer', args: ['x'] }))
      expect(text(stdout)).toBe('42 /skill/scripts/run.sh x\n')
      await other.close?.()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('[RUN-14] finds the packages of a virtual environment, and refuses one of a Python that it does not show', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'venv-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o755)
    const environmentOf = (python: string, version: string): string => {
      const made = join(folder, `${version}-${python.includes('usr')}`)
      const packages = join(made, 'lib', version, 'site-packages')
      mkdirSync(packages, { recursive: true })
      mkdirSync(join(made, 'bin'))
      writeFileSync(join(packages, 'kiln.py'), 'HEAT = 1200')
      writeFileSync(join(made, 'pyvenv.cfg'), `home = ${dirname(python)}\nversion = 3\n`)
      symlinkSync(python, join(made, 'bin/python3'))
      return made
    }
    const real = realpathSync('/usr/bin/python3')
    const made = environmentOf('/usr/bin/python3', basename(real))
    const other = await openBubblewrapRunner({ toolchains: [made] })
    const { stdout } = await other.run(job('python3 -c "import kiln; print(kiln.HEAT)"'))
    expect(text(stdout)).toBe('1200\n')
    await other.close?.()
    const message =
      /is a virtual environment of the Python in "\/opt\/x", which the sandbox does not show\. Make it again/
    const foreign = environmentOf('/opt/x/python3', basename(real))
    await expect(openBubblewrapRunner({ toolchains: [foreign] })).rejects.toThrow(message)
    const old = environmentOf('/usr/bin/python3', 'python3.1')
    await expect(openBubblewrapRunner({ toolchains: [old] })).rejects.toThrow('another version than its python3')
  })

  it('[RUN-8] says what isolates, and what it does not hold', () => {
    expect(runner.isolation).toMatchObject({ name: 'bubblewrap', isolated: true })
    expect(runner.isolation.notes.join(' ')).toContain('Memory is limited for each process alone')
  })

  it('[ABUSE-51] refuses more arguments or variables than it can pass, and passes the most', async () => {
    const short = (count: number): readonly string[] => Array.from({ length: count }, () => 'x')
    const variables = (count: number): Readonly<Record<string, string>> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, 'x']))
    const refused = {
      code: 'SCRIPT_NOT_STARTED',
      message: expect.stringMatching(/^There are \d+ (arguments|variables)/),
    }
    for (const changes of [{ args: short(200_000) }, { args: short(4_097) }, { environment: variables(1_025) }])
      await expect(runner.run(job('true', changes))).rejects.toMatchObject(refused)
    const most = { args: short(4_096), environment: variables(1_024) }
    expect(text((await runner.run(job('echo $# $V1023', most))).stdout)).toBe('4096 x\n')
  })

  it('[RUN-7] returns a signal as an exit code', async () => {
    expect(await runner.run(job('kill -SEGV $$; sleep 5'))).toMatchObject({ end: 'exited', exitCode: 139 })
  })
})

describe('a sandbox that cannot be built', () => {
  it('[RUN-8, ABUSE-53] is a refusal with the reason, and nothing runs outside of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bwrap-'))
    try {
      const bubblewrap = join(folder, 'bwrap')
      writeFileSync(bubblewrap, '#!/bin/sh\necho "setting up uid map: Permission denied" >&2\nexit 1\n', {
        mode: 0o755,
      })
      const refused = {
        code: 'SCRIPT_NOT_STARTED',
        message: expect.stringMatching(/^Bubblewrap does not work here\. /),
      }
      await expect(openBubblewrapRunner({ bubblewrap })).rejects.toMatchObject(refused)
      await expect(openBubblewrapRunner({ bubblewrap: join(folder, 'missing') })).rejects.toMatchObject(refused)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

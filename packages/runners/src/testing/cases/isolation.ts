import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS, type RunnerCase, textOf } from '../case.ts'

const SMALL = { ...LIMITS, timeout: 6_000, maxProcesses: 20, maxFileBytes: 1_000_000 }

/** What stands between a script and the host. */
export const isolationCases: readonly RunnerCase[] = [
  {
    title: '[ABUSE-49] shows the environment of no process of the host',
    promise: 'host-processes',
    async run({ sh }) {
      // What Node was started with: later changes are not in the file.
      const started = (await readFile('/proc/self/environ', 'utf8')).split('\0').filter((line) => line.length > 8)
      assert.ok(started.length > 0, 'start the test with an environment')
      const { stdout } = await sh(`cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; true`)
      const seen = new Set(textOf(stdout).split('\n'))
      const leaked = started.filter((line) => !/^(PATH|PWD|LANG|LC_ALL|HOME|TMPDIR)=/.test(line) && seen.has(line))
      assert.deepEqual(leaked, [])
      const others = await sh(`ls /proc | grep -c '^${process.pid}$'; true`)
      assert.equal(textOf(others.stdout).trim(), '0', 'the process of the host was visible')
    },
  },
  {
    title: '[ABUSE-49] leaves the script no descriptor beside its three streams',
    async run({ sh }) {
      const { stdout } = await sh(
        `for fd in /proc/self/fd/*; do [ -L "$fd" ] && readlink "$fd"; done 2>/dev/null | grep -v -e '^/dev/null$' -e '^pipe:' -e '^socket:' -e '/fd$' -e 'case.sh$' -e '/stdin$'; true`,
      )
      assert.equal(textOf(stdout), '')
    },
  },
  {
    title: "[ABUSE-52] keeps scripts from the host's files, whatever their text looks like",
    promise: 'host-files',
    async run({ sh }) {
      const folder = await mkdtemp(join(tmpdir(), 'runner-contract-'))
      try {
        await writeFile(join(folder, 'secret'), 'of the host')
        const hidden = Buffer.from(
          `cat ${folder}/secret; echo x >${folder}/new; echo x >/etc/runner-contract; rm -f ${folder}/secret`,
        )
        const { stdout } = await sh(
          `printf %s ${hidden.toString('base64')} | base64 -d >"$TMPDIR/x"; . "$TMPDIR/x"; true`,
        )
        assert.equal(textOf(stdout), '')
        assert.deepEqual(await readdir(folder), ['secret'])
      } finally {
        await rm(folder, { recursive: true })
        await rm('/etc/runner-contract', { force: true })
      }
    },
  },
  {
    title: '[RUN-7] reaches no network unless the job may',
    promise: 'no-network',
    async run({ runner, sh }) {
      let connections = 0
      const server = createServer((socket) => {
        connections++
        socket.on('error', () => undefined).end('hello\n')
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      try {
        const address = server.address()
        assert.ok(typeof address === 'object' && address !== null)
        assert.equal(runner.supports('bash'), true)
        const { stdout } = await sh(`exec 3<>/dev/tcp/127.0.0.1/${address.port} && cat <&3`, { interpreter: 'bash' })
        assert.equal(textOf(stdout), '')
        assert.equal(connections, 0)
      } finally {
        server.close()
      }
    },
  },
  {
    title: '[ABUSE-55] holds the number of processes',
    promise: 'process-limit',
    async run({ sh }) {
      const { stdout } = await sh('i=0; while [ $i -lt 60 ]; do sleep 2 & i=$((i+1)); done; echo all', {
        limits: { ...SMALL, timeout: 2_000 },
      })
      assert.equal(textOf(stdout), '')
    },
  },
  {
    title: '[ABUSE-55] holds the size of a file',
    promise: 'file-limit',
    async run({ sh }) {
      const { stdout } = await sh('seq 1 500000 >"$TMPDIR/x"; cat "$TMPDIR/x" | wc -c', { limits: SMALL })
      assert.ok(Number(textOf(stdout)) <= SMALL.maxFileBytes, `${textOf(stdout)} bytes were written`)
    },
  },
  {
    title: '[ABUSE-55] holds the size of the temporary folder, and of all else that can be written',
    promise: 'folder-limit',
    async run({ sh }) {
      const { stdout } = await sh(
        `for folder in "$TMPDIR" /dev/shm /dev / /var/tmp /run; do
  i=0; while [ $i -lt 4 ]; do seq 1 150000 >"$folder/runner-contract-$i"; i=$((i+1)); done
done 2>/dev/null
cat "$TMPDIR"/runner-contract-* /dev/shm/runner-contract-* /dev/runner-contract-* /runner-contract-* /var/tmp/runner-contract-* /run/runner-contract-* 2>/dev/null | wc -c
rm -f /dev/shm/runner-contract-* /dev/runner-contract-* /runner-contract-* /var/tmp/runner-contract-* /run/runner-contract-* 2>/dev/null`,
        { limits: SMALL },
      )
      assert.ok(Number(textOf(stdout)) <= 1.1 * SMALL.maxFileBytes, `${textOf(stdout)} bytes were written`)
    },
  },
]

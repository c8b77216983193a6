import process from 'node:process'
import type { ScriptRunner } from '@repertoire/core'
import { openBubblewrapRunner } from '@repertoire/runners'
import { isMissing } from '@repertoire/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seccompFilter } from '../src/bubblewrap/seccomp.ts'
import { job, text } from './job.ts'

/** System calls by number, with arguments: what each returns, or the error. */
const CALLS = `import ctypes, os, errno
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    result = libc.syscall(*[ctypes.c_long(arg) for arg in args])
    print(name, 'ok' if result >= 0 else errno.errorcode[ctypes.get_errno()])
X64 = os.uname().machine == 'x86_64'
def number(x64, arm64): return x64 if X64 else arm64
call('ptrace', number(101, 117), 0, 0, 0, 0)
call('bpf', number(321, 280), 0, 0, 0)
call('perf_event_open', number(298, 241), 0, 0, 0, 0)
call('userfaultfd', number(323, 282), 0)
call('keyctl', number(250, 219), 0, 0)
call('add_key', number(248, 217), 0, 0, 0, 0, 0)
call('mount', number(165, 40), 0, 0, 0, 0, 0)
call('fsopen', 430, 0, 0)
call('setns', number(308, 268), 0, 0)
call('unshare user', number(272, 97), 0x10000000)
call('unshare time', number(272, 97), 0x80)
call('clone user', number(56, 220), 0x10000000 | 17, 0, 0, 0, 0)
call('io_uring_setup', 425, 1, 0)
call('process_vm_readv', number(310, 270), os.getpid(), 0, 0, 0, 0, 0)
call('open_by_handle_at', number(304, 265), 0, 0, 0)
call('kexec_load', number(246, 104), 0, 0, 0, 0)
call('ioctl TIOCSTI', number(16, 29), 0, 0x5412, 0)
call('ioctl TIOCSTI with high bits', number(16, 29), 0, 0x100005412, 0)
call('clone3', 435, 0, 0)
call('newer', 467, 0, 0, 0)
if X64: call('x32', 0x40000000 | 39)
call('getpid', number(39, 172))
call('unshare files', number(272, 97), 0x400)
`

/** Ways to memory that `RLIMIT_DATA` does not count, and two that are bounded by the size of `/tmp`. */
const UNCOUNTED = `import ctypes, errno, fcntl, mmap, multiprocessing, os, resource, socket, tempfile
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, work):
    try:
        print(name, work() or 'ok')
    except OSError as error:
        print(name, errno.errorcode[error.errno])
    except ValueError:
        print(name, 'ValueError')
def validated():
    libc.mmap.restype = ctypes.c_void_p
    result = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x23, -1, ctypes.c_long(0))
    if result == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), '')
def shmget():
    if libc.shmget(0, ctypes.c_size_t(4096), 0o1600) < 0: raise OSError(ctypes.get_errno(), '')
def stack():
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard + 4096 if hard > 0 else hard))
def file():
    with tempfile.TemporaryFile() as shared:
        shared.truncate(4096)
        mmap.mmap(shared.fileno(), 4096)[0] = 1
def pool():
    with multiprocessing.Pool(2) as workers: return f"{workers.map(abs, [-1, -2])} {multiprocessing.Value('i', 3).value}"
attempt('shared', lambda: mmap.mmap(-1, 4096) and None)
attempt('shared and validated', validated)
attempt('memfd', lambda: os.memfd_create('x') and None)
attempt('shmget', shmget)
attempt('/dev/zero', lambda: os.open('/dev/zero', os.O_RDONLY) and None)
attempt('stack', stack)
def grows():
    libc.mmap.restype = ctypes.c_void_p
    result = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x122, -1, ctypes.c_long(0))
    if result == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), '')
def call(function, *args):
    if function(*args) < 0: raise OSError(ctypes.get_errno(), '')
def pipe(): fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)
def splice():
    call(libc.vmsplice, os.pipe()[1], ctypes.create_string_buffer(16), 0, 0)
def pairs():
    held = []
    try:
        while True: held.append(socket.socketpair())
    except OSError: return f'{len(held) < 128}'
attempt('grows down', grows)
attempt('msgget', lambda: call(libc.msgget, 0, 0o1600))
attempt('semget', lambda: call(libc.semget, 0, 1, 0o1600))
attempt('mq_open', lambda: call(ctypes.CDLL('librt.so.1', use_errno=True).mq_open, b'/queue', 0o102, 0o600, None))
attempt('pipe size', pipe)
attempt('vmsplice', splice)
attempt('socket pairs below 128', pairs)
attempt('/proc/self/mem', lambda: os.open('/proc/self/mem', os.O_RDWR) and None)
attempt('file', file)
attempt('pool', pool)
`

/** All address families that a kernel may have: those of which a socket, or a pair of them, can be opened. */
const FAMILIES = `import errno, socket
def opens(work):
    try: work()
    except OSError as error: return errno.errorcode[error.errno] not in ('EAFNOSUPPORT',)
    return True
for make in (socket.socket, socket.socketpair):
    print([n for n in range(64) if opens(lambda: [make(n, kind, 0) for kind in (1, 2, 3)])])
`

describe.skipIf(isMissing('bubblewrap'))('the filter of system calls (needs bubblewrap)', () => {
  let runner: ScriptRunner

  beforeAll(async () => {
    runner = await openBubblewrapRunner()
  })

  afterAll(() => runner.close?.())

  it.runIf(['x64', 'arm64'].includes(process.arch))(
    '[ABUSE-52] refuses what attacks a kernel, whatever the arguments',
    async () => {
      expect(runner.supports('python3')).toBe(true)
      const bytes = Buffer.from(CALLS)
      const { stdout, stderr } = await runner.run(
        job('', {
          interpreter: 'python3',
          script: 'calls.py',
          files: [{ path: 'calls.py', bytes, executable: false }],
        }),
      )
      expect(text(stderr)).toBe('')
      const lines = text(stdout).trim().split('\n')
      const allowed = ['getpid ok', 'unshare files ok']
      const missing = ['clone3 ENOSYS', 'newer ENOSYS', ...(process.arch === 'x64' ? ['x32 ENOSYS'] : [])]
      expect(lines.slice(-allowed.length)).toEqual(allowed)
      expect(lines.slice(-allowed.length - missing.length, -allowed.length)).toEqual(missing)
      expect(lines.slice(0, -allowed.length - missing.length).filter((line) => !line.endsWith(' EPERM'))).toEqual([])
    },
  )

  it('[ABUSE-52] is there for every process, and lets tools work that scripts use', async () => {
    const { stdout, exitCode } = await runner.run(
      job(`grep -h '^Seccomp:' /proc/self/status | tr -s '[:space:]' ' '
cd "$TMPDIR" && git init -q repo && cd repo && git config user.email a@b && git config user.name a && echo x >f && git add f && git commit -qm one && git log --format=%s
python3 -c 'import threading, subprocess; t = threading.Thread(target=print, args=("thread",)); t.start(); t.join(); print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())'
seq 3 | xargs -P 3 -n 1 echo | sort | tr '\\n' ' '
tar -cf - f | tar -tf - ; sleep 0.01 & wait; timeout 5 echo timed`),
    )
    expect(text(stdout)).toBe('Seccomp: 2 one\nthread\nchild\n1 2 3 f\ntimed\n')
    expect(exitCode).toBe(0)
  })

  it('[RUN-8] exists for the machines that are known, and is said to be missing elsewhere', () => {
    expect(seccompFilter('x64')!.byteLength % 8).toBe(0)
    expect(seccompFilter('arm64')!.byteLength).toBeLessThan(8 * 4_096)
    expect(seccompFilter('riscv64')).toBeUndefined()
    expect(runner.isolation.notes.some((note) => note.startsWith('System calls are not filtered'))).toBe(
      seccompFilter(process.arch) === undefined,
    )
  })

  it('[ABUSE-55] a process has no more memory than the host says, and others go on', async () => {
    const limits = { ...job('').limits, maxMemoryBytes: 256 * 1024 * 1024 }
    const script = `python3 -c 'print(len(bytearray(50_000_000)))'
python3 -c 'bytearray(600_000_000)' 2>&1 | tail -n 1
echo after`
    expect(text((await runner.run(job(script, { limits }))).stdout)).toBe('50000000\nMemoryError\nafter\n')
    expect(text((await runner.run(job("python3 -c 'print(len(bytearray(600_000_000)))'"))).stdout)).toBe('600000000\n')
  })

  it.runIf(['x64', 'arm64'].includes(process.arch))(
    '[ABUSE-55, ABUSE-126] has none either that no limit of a process counts, and tools that share memory in files work',
    async () => {
      const limits = { ...job('').limits, maxMemoryBytes: 256 * 1024 * 1024 }
      const script = (name: string, source: string) =>
        runner.run(
          job('', {
            interpreter: 'python3',
            script: name,
            files: [{ path: name, bytes: Buffer.from(source), executable: false }],
            limits,
          }),
        )
      const { stdout, stderr } = await script('uncounted.py', UNCOUNTED)
      expect(text(stderr)).toBe('')
      expect(text(stdout).trim().split('\n')).toEqual([
        'shared ENOMEM',
        'shared and validated ENOMEM',
        'memfd EPERM',
        'shmget EPERM',
        '/dev/zero EACCES',
        'stack ValueError',
        'grows down ENOMEM',
        'msgget EPERM',
        'semget EPERM',
        'mq_open EMFILE',
        'pipe size EPERM',
        'vmsplice EPERM',
        'socket pairs below 128 True',
        '/proc/self/mem EROFS',
        'file ok',
        'pool [1, 2] 3',
      ])
    },
  )

  it.runIf(['x64', 'arm64'].includes(process.arch)).each([false, true])(
    '[ABUSE-127] opens sockets of four address families alone, with the network %s',
    async (network) => {
      const files = [{ path: 'families.py', bytes: Buffer.from(FAMILIES), executable: false }]
      const { stdout } = await runner.run(job('', { interpreter: 'python3', script: 'families.py', files, network }))
      expect(text(stdout)).toBe(network ? '[1, 2, 10, 16]\n[1]\n' : '[2, 10, 16]\n[1]\n')
    },
  )
})

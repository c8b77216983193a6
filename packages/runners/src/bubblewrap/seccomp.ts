import { Buffer } from 'node:buffer'

/** What differs between the machines that are known: how the kernel names them, and its numbers of system calls. */
interface Machine {
  readonly audit: number
  readonly clone: number
  readonly unshare: number
  readonly ioctl: number
  readonly mmap: number
  readonly fcntl: number
  /** socket and socketpair. */
  readonly sockets: { readonly open: number; readonly pair: number }
  /** memfd_create, shmget, msgget, semget and vmsplice: their memory belongs to no process, so no limit counts it. */
  readonly shared: readonly number[]
  readonly denied: readonly number[]
}

/** System calls above this number were not reviewed. Programs get ENOSYS for them. */
const LAST_KNOWN = 466

/** The same everywhere: keep mounts, forbid rings that act past this filter, and other processes' descriptors. */
const DENIED_EVERYWHERE = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442, 443]
const CLONE3 = 435
const MEMFD_SECRET = 447

/**
 * In order: ptrace, process_vm_readv, process_vm_writev, kcmp, bpf, perf_event_open, userfaultfd, add_key, request_key,
 * keyctl, mount, umount2, pivot_root, chroot, setns, name_to_handle_at, open_by_handle_at, fanotify_init, init_module,
 * finit_module, delete_module, kexec_load, kexec_file_load, reboot, syslog, acct, swapon, swapoff, quotactl, vhangup,
 * settimeofday, clock_settime, adjtimex, clock_adjtime, sethostname, setdomainname, move_pages, migrate_pages.
 */
const MACHINES: ReadonlyMap<string, Machine> = new Map([
  [
    'x64',
    {
      audit: 0xc000_003e,
      clone: 56,
      unshare: 272,
      ioctl: 16,
      mmap: 9,
      fcntl: 72,
      sockets: { open: 41, pair: 53 },
      shared: [319, 29, 68, 64, 278],
      denied: [
        101, 310, 311, 312, 321, 298, 323, 248, 249, 250, 165, 166, 155, 161, 308, 303, 304, 300, 175, 313, 176, 246,
        320, 169, 103, 163, 167, 168, 179, 153, 164, 227, 159, 305, 170, 171, 279, 256,
        // uselib, _sysctl, modify_ldt, iopl, ioperm, create_module, get_kernel_syms, query_module, nfsservctl
        134, 156, 154, 172, 173, 174, 177, 178, 180,
      ],
    },
  ],
  [
    'arm64',
    {
      audit: 0xc000_00b7,
      clone: 220,
      unshare: 97,
      ioctl: 29,
      mmap: 222,
      fcntl: 25,
      sockets: { open: 198, pair: 199 },
      shared: [279, 194, 186, 190, 75],
      denied: [
        117, 270, 271, 272, 280, 241, 282, 217, 218, 219, 40, 39, 41, 51, 268, 264, 265, 262, 105, 273, 106, 104, 294,
        142, 116, 89, 224, 225, 60, 58, 170, 112, 171, 266, 161, 162, 239, 238,
        // nfsservctl
        42,
      ],
    },
  ],
])

const LOAD = 0x20
const EQUALS = 0x15
const GREATER = 0x25
const ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff_0000
const EPERM = 0x0005_0001
const ENOSYS = 0x0005_0026
const ENOMEM = 0x0005_000c
const EAFNOSUPPORT = 0x0005_0061

/** Where the kernel puts what a filter reads; of an argument, the half with the flags that are asked for. */
const [NUMBER, AUDIT, FIRST_ARGUMENT, SECOND_ARGUMENT, FOURTH_ARGUMENT] = [0, 4, 16, 24, 40]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; for unshare also NEWTIME, a signal in clone. */
const NEW_NAMESPACES = 0x7e02_0000
const NEW_TIME = 0x80
/** Of mmap: MAP_SHARED, which MAP_SHARED_VALIDATE holds too, MAP_ANONYMOUS and MAP_GROWSDOWN. */
const [SHARED, ANONYMOUS, GROWS_DOWN] = [0x01, 0x20, 0x100]
const F_SETPIPE_SZ = 1_031
const AF_UNIX = 1
/** AF_INET, AF_INET6 and AF_NETLINK. Others reach past the network namespace, such as AF_VSOCK. */
const ADDRESS_FAMILIES = [2, 10, 16]
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

/**
 * The filter of system calls of a machine, as bubblewrap takes it; undefined for a machine that is not known. It
 * forbids what no script needs and a kernel has been attacked by, and everything that came after it was written.
 * @param options.boundsMemory whether it also forbids memory that the limit of a process does not count
 * @param options.network whether scripts may open this machine's sockets: one in the workspace is a host program's
 */
export function seccompFilter(arch: string, { boundsMemory = false, network = false } = {}): Uint8Array | undefined {
  const machine = MACHINES.get(arch)
  if (machine === undefined) return undefined
  const { audit, clone, unshare, ioctl, mmap, fcntl, sockets, shared, denied } = machine
  const uncounted = boundsMemory
    ? [
        ...[...shared, MEMFD_SECRET].flatMap((number) => when(EQUALS, number, EPERM)),
        ...argument(mmap, FOURTH_ARGUMENT, [
          // A mapping that grows down counts as a stack, and each one may reach the limit of the stack.
          ...when(ANY_BIT, GROWS_DOWN, ENOMEM),
          // Both flags: the second is looked at where the first is there.
          [ANY_BIT, 0, 2, SHARED],
          ...when(ANY_BIT, ANONYMOUS, ENOMEM),
        ]),
        ...argument(fcntl, SECOND_ARGUMENT, when(EQUALS, F_SETPIPE_SZ, EPERM)),
      ]
    : []
  return program([
    [LOAD, 0, 0, AUDIT],
    [EQUALS, 1, 0, audit],
    // Another set of numbers, such as that of 32-bit programs.
    [RETURN, 0, 0, ENOSYS],
    [LOAD, 0, 0, NUMBER],
    ...when(GREATER, LAST_KNOWN, ENOSYS),
    // The flags of clone3 stand in memory, where a filter cannot read: C libraries go back to clone.
    ...when(EQUALS, CLONE3, ENOSYS),
    ...[...DENIED_EVERYWHERE, ...denied].flatMap((number) => when(EQUALS, number, EPERM)),
    ...argument(clone, FIRST_ARGUMENT, when(ANY_BIT, NEW_NAMESPACES, EPERM)),
    ...argument(unshare, FIRST_ARGUMENT, when(ANY_BIT, NEW_NAMESPACES | NEW_TIME, EPERM)),
    ...argument(
      sockets.open,
      FIRST_ARGUMENT,
      onlyFamilies(network ? [AF_UNIX, ...ADDRESS_FAMILIES] : ADDRESS_FAMILIES),
    ),
    ...argument(sockets.pair, FIRST_ARGUMENT, onlyFamilies([AF_UNIX])),
    ...uncounted,
    ...argument(ioctl, SECOND_ARGUMENT, [...when(EQUALS, TIOCSTI, EPERM), ...when(EQUALS, TIOCLINUX, EPERM)]),
    [RETURN, 0, 0, ALLOW],
  ])
}

/** An instruction: what it does, how many to skip where a condition holds and where not, and a value. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

function onlyFamilies(families: readonly number[]): readonly Instruction[] {
  return [...families.flatMap((family) => when(EQUALS, family, ALLOW)), [RETURN, 0, 0, EAFNOSUPPORT]]
}

function when(condition: number, value: number, result: number): readonly Instruction[] {
  return [
    [condition, 0, 1, value],
    [RETURN, 0, 0, result],
  ]
}

/** Conditions on an argument of one system call, which is allowed where none of them holds. */
function argument(number: number, offset: number, conditions: readonly Instruction[]): readonly Instruction[] {
  return [[EQUALS, 0, conditions.length + 2, number], [LOAD, 0, 0, offset], ...conditions, [RETURN, 0, 0, ALLOW]]
}

function program(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(8 * instructions.length)
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, 8 * index)
    bytes.writeUInt8(ifTrue, 8 * index + 2)
    bytes.writeUInt8(ifFalse, 8 * index + 3)
    bytes.writeUInt32LE(value >>> 0, 8 * index + 4)
  }
  return bytes
}

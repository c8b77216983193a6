import { list, type Program } from './program.ts'

/** Programs that run another one in their own way: for so long, so often, at such a priority, or while they watch it. */
export const WRAPPERS: readonly Program[] = [
  {
    names: ['timeout'],
    exactOnly: 'runs-programs',
    wraps: { valued: list('-s --signal -k --kill-after'), operands: 1 },
    examples: { refused: ['timeout 5 id'], mutates: [['timeout -k 1 5 rm -r a', 'a']] },
  },
  {
    names: ['nice', 'ionice'],
    exactOnly: 'runs-programs',
    wraps: { valued: list('-n --adjustment -c --class --classdata') },
    examples: { refused: ['nice id'], mutates: [['nice -n 5 rm -r a', 'a']] },
  },
  {
    names: ['stdbuf'],
    exactOnly: 'runs-programs',
    wraps: { valued: list('-i --input -o --output -e --error') },
    examples: { refused: ['stdbuf -o L id'], mutates: [['stdbuf -o L rm -r a', 'a']] },
  },
  {
    names: ['chrt', 'taskset'],
    exactOnly: 'runs-programs',
    wraps: { operands: 1 },
    examples: { refused: ['chrt 1 id'], mutates: [['chrt 1 rm -r a', 'a']] },
  },
  {
    names: list(
      'nohup setsid chronic unbuffer ifne prlimit setarch linux32 linux64 rlwrap dtach valgrind strace ltrace ' +
        'perf start busybox toybox coreutils ld.so ld-linux-x86-64.so.2',
    ),
    exactOnly: 'runs-programs',
    wraps: {},
    examples: {
      refused: ['nohup id'],
      mutates: [
        ['nohup rm -r a', 'a'],
        ['nohup -x y rm -r a', 'a'],
      ],
    },
  },
  {
    names: ['daemonize'],
    exactOnly: 'runs-programs',
    wraps: { valued: list('-p -u -o -e -l -a -E'), folder: ['-c'] },
    examples: { refused: ['daemonize /bin/id'], mutates: [['daemonize -c .. /bin/rm -r a', '../a']] },
  },
  {
    names: ['wsl'],
    exactOnly: 'runs-programs',
    wraps: { valued: ['-d', '--distribution', '-u', '--user'], folder: ['--cd'] },
    examples: { refused: ['wsl id'], mutates: [['wsl --cd .. rm -r a', '../a']] },
  },
  {
    names: ['gdb', 'lldb'],
    exactOnly: 'runs-programs',
    wraps: { options: ['--args', '--'] },
    examples: {
      refused: ['gdb x'],
      mutates: [
        ['gdb --args rm -r a', 'a'],
        ['gdb -- rm -r a', 'a'],
      ],
    },
  },
  {
    names: ['flock'],
    exactOnly: 'runs-programs',
    runsShell: true,
    wraps: { valued: list('-w --wait --timeout -E --conflict-exit-code'), operands: 1 },
    examples: {
      refused: ['flock x id'],
      mutates: [
        ['flock -w 5 tar rm -r a', 'a'],
        ["flock x -c 'rm -r a'", 'a'],
      ],
    },
  },
  {
    names: ['script'],
    exactOnly: 'runs-programs',
    runsShell: true,
    wraps: {},
    examples: {
      refused: ['script x'],
      mutates: [
        ["script -c 'rm -r a'", 'a'],
        ['script x rm -r a', 'a'],
      ],
    },
  },
  {
    names: ['watch', 'hyperfine', 'entr', 'parallel'],
    exactOnly: 'runs-programs',
    runsShell: true,
    wraps: { valued: ['-n', '--interval', '-j', '--jobs'] },
    examples: {
      refused: ['watch id'],
      mutates: [
        ['watch -n 5 rm -r a', 'a'],
        ["watch 'rm -r a'", 'a'],
      ],
    },
  },
  {
    names: ['xargs'],
    exactOnly: 'runs-programs',
    readsCommands: true,
    wraps: {
      valued: list(
        '-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars --process-slot-var',
      ),
    },
    examples: {
      refused: ['xargs', 'xargs id'],
      mutates: [
        ['xargs -n 1 rm -r a', 'a'],
        ['xargs -I tar rm -r a', 'a'],
      ],
    },
  },
]

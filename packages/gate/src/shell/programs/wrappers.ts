import { list, type Program } from './program.ts'

/** Programs that run another one as another user, with other rights, in a confined place, for so long, or so often. */
const RUNNERS: readonly Program[] = [
  {
    names: ['sudo'],
    wraps: {
      valued: list(
        '-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U ' +
          '--other-user -R --chroot',
      ),
      folder: ['-D', '--chdir'],
    },
    examples: {
      refused: ['sudo git status'],
      mutates: [
        ['sudo -u root rm -r a', 'a'],
        // A user's name is not a program.
        ['sudo -u tar rm -r a', 'a'],
        ['sudo -nD .. rm -r a', '../a'],
        ['sudo X=1 env -C b rm -r a', 'b/a'],
      ],
    },
  },
  {
    names: ['doas'],
    wraps: { valued: ['-u', '-C', '-a'] },
    examples: { refused: ['doas id'], mutates: [['doas -u tar rm -r a', 'a']] },
  },
  {
    names: ['runuser'],
    runsShell: true,
    wraps: { valued: list('-u --user -g --group -G --supp-group') },
    examples: {
      refused: ['runuser -u u id'],
      mutates: [
        ['runuser -u u -- rm -r a', 'a'],
        ["runuser u -c 'rm -r a'", 'a'],
      ],
    },
  },
  {
    names: ['gosu', 'su-exec'],
    wraps: { operands: 1 },
    examples: { refused: ['gosu u id'], mutates: [['gosu tar rm -r a', 'a']] },
  },
  {
    names: ['pkexec', 'setpriv', 'runcon', 'cgexec', 'nsenter'],
    wraps: { valued: ['--user', '-g', '-t', '--target'] },
    examples: { refused: ['pkexec id'], mutates: [['pkexec --user tar rm -r a', 'a']] },
  },
  {
    names: ['unshare'],
    wraps: { folder: ['-w', '--wd'] },
    examples: { refused: ['unshare id'], mutates: [['unshare -w .. rm -r a', '../a']] },
  },
  {
    names: ['capsh'],
    runsShell: true,
    examples: { refused: ['capsh -- -c id'], mutates: [["capsh -- -c 'rm -r a'", 'a']] },
  },
  {
    names: ['chroot'],
    wraps: { operands: 1 },
    examples: { refused: ['chroot / id'], mutates: [['chroot / rm -r /a', '/a']] },
  },
  {
    names: ['bwrap', 'firejail'],
    wraps: { folder: ['--chdir'] },
    examples: {
      refused: ['bwrap --bind / / id'],
      mutates: [
        ['bwrap --bind / / rm -r a', 'a'],
        ['bwrap --chdir b rm -r a', 'b/a'],
      ],
    },
  },
  {
    names: ['systemd-run'],
    wraps: { valued: list('-u --unit -p --property -E --setenv'), folder: ['--working-directory'] },
    examples: {
      refused: ['systemd-run id'],
      mutates: [['systemd-run -u tar --working-directory=b rm -r a', 'b/a']],
    },
  },
  {
    names: ['start-stop-daemon'],
    wraps: { folder: ['-d', '--chdir'] },
    examples: {
      refused: ['start-stop-daemon --start --exec /bin/id'],
      mutates: [['start-stop-daemon --start -d b --exec /bin/rm -- -r a', 'b/a']],
    },
  },
  {
    names: ['timeout'],
    wraps: { valued: list('-s --signal -k --kill-after'), operands: 1 },
    examples: { refused: ['timeout 5 id'], mutates: [['timeout -k 1 5 rm -r a', 'a']] },
  },
  {
    names: ['nice', 'ionice'],
    wraps: { valued: list('-n --adjustment -c --class --classdata') },
    examples: { refused: ['nice id'], mutates: [['nice -n 5 rm -r a', 'a']] },
  },
  {
    names: ['stdbuf'],
    wraps: { valued: list('-i --input -o --output -e --error') },
    examples: { refused: ['stdbuf -o L id'], mutates: [['stdbuf -o L rm -r a', 'a']] },
  },
  {
    names: ['chrt', 'taskset'],
    wraps: { operands: 1 },
    examples: { refused: ['chrt 1 id'], mutates: [['chrt 1 rm -r a', 'a']] },
  },
  {
    names: list(
      'nohup setsid chronic unbuffer ifne prlimit setarch linux32 linux64 rlwrap dtach valgrind strace ltrace ' +
        'perf start busybox toybox coreutils ld.so ld-linux-x86-64.so.2',
    ),
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
    wraps: { valued: list('-p -u -o -e -l -a -E'), folder: ['-c'] },
    examples: { refused: ['daemonize /bin/id'], mutates: [['daemonize -c .. /bin/rm -r a', '../a']] },
  },
  {
    names: ['wsl'],
    wraps: { valued: ['-d', '--distribution', '-u', '--user'], folder: ['--cd'] },
    examples: { refused: ['wsl id'], mutates: [['wsl --cd .. rm -r a', '../a']] },
  },
  {
    names: ['gdb', 'lldb'],
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

/** Every use of them runs another program. */
export const WRAPPERS = RUNNERS.map((program): Program => ({ exactOnly: 'runs-programs', ...program }))

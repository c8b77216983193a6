import { list, type Program } from './program.ts'

/** Programs that run another one as another user, with other rights, or in a confined place. */
export const PRIVILEGES: readonly Program[] = [
  {
    names: ['sudo'],
    exactOnly: 'runs-programs',
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
    exactOnly: 'runs-programs',
    wraps: { valued: ['-u', '-C', '-a'] },
    examples: { refused: ['doas id'], mutates: [['doas -u tar rm -r a', 'a']] },
  },
  {
    names: ['runuser'],
    exactOnly: 'runs-programs',
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
    exactOnly: 'runs-programs',
    wraps: { operands: 1 },
    examples: { refused: ['gosu u id'], mutates: [['gosu tar rm -r a', 'a']] },
  },
  {
    names: ['pkexec', 'setpriv', 'runcon', 'cgexec', 'nsenter'],
    exactOnly: 'runs-programs',
    wraps: { valued: ['--user', '-g', '-t', '--target'] },
    examples: { refused: ['pkexec id'], mutates: [['pkexec --user tar rm -r a', 'a']] },
  },
  {
    names: ['unshare'],
    exactOnly: 'runs-programs',
    wraps: { folder: ['-w', '--wd'] },
    examples: { refused: ['unshare id'], mutates: [['unshare -w .. rm -r a', '../a']] },
  },
  {
    names: ['capsh'],
    exactOnly: 'runs-programs',
    runsShell: true,
    examples: { refused: ['capsh -- -c id'], mutates: [["capsh -- -c 'rm -r a'", 'a']] },
  },
  {
    names: ['chroot'],
    exactOnly: 'runs-programs',
    wraps: { operands: 1 },
    examples: { refused: ['chroot / id'], mutates: [['chroot / rm -r /a', '/a']] },
  },
  {
    names: ['bwrap', 'firejail'],
    exactOnly: 'runs-programs',
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
    exactOnly: 'runs-programs',
    wraps: { valued: list('-u --unit -p --property -E --setenv'), folder: ['--working-directory'] },
    examples: {
      refused: ['systemd-run id'],
      mutates: [['systemd-run -u tar --working-directory=b rm -r a', 'b/a']],
    },
  },
  {
    names: ['start-stop-daemon'],
    exactOnly: 'runs-programs',
    wraps: { folder: ['-d', '--chdir'] },
    examples: {
      refused: ['start-stop-daemon --start --exec /bin/id'],
      mutates: [['start-stop-daemon --start -d b --exec /bin/rm -- -r a', 'b/a']],
    },
  },
]

import { list, type Program } from './program.ts'

/** Programs for an operating system: its packages, which bring programs that run when they are installed, its log, its jobs. */
export const SYSTEM: readonly Program[] = [
  {
    names: ['dpkg'],
    runsCode: true,
    unsafe: { options: list('--pre-invoke --post-invoke --status-logger --admindir --root --instdir --log') },
    examples: { permitted: ['dpkg -l'], refused: ['dpkg --pre-invoke=id -l'] },
  },
  {
    names: ['rpm'],
    runsCode: true,
    unsafe: { options: list('--eval --define --pipe --rcfile --macros --load --root --dbpath'), letters: 'DE' },
    examples: { permitted: ['rpm -qa'], refused: ['rpm --eval x', 'rpm -E x'] },
  },
  {
    names: list('apt apt-get apt-cache apt-config apt-mark aptitude'),
    runsCode: true,
    unsafe: { options: ['--option', '--config-file'], letters: 'co' },
    examples: { permitted: ['apt list --installed'], refused: ['apt list -o a=id'] },
  },
  {
    names: ['dnf', 'yum'],
    runsCode: true,
    unsafe: { options: ['--config', '--setopt', '--installroot'], letters: 'c' },
    examples: { permitted: ['dnf list'], refused: ['dnf --setopt=x list', 'dnf -c x list'] },
  },
  {
    names: ['pacman'],
    runsCode: true,
    unsafe: { options: list('--config --hookdir --root --sysroot --dbpath --logfile'), letters: 'br' },
    examples: { permitted: ['pacman -Q'], refused: ['pacman --hookdir x -Q', 'pacman -Qb x'] },
  },
  {
    names: ['brew'],
    runsCode: true,
    unsafe: {
      runningSubcommands: list('bundle create edit exec irb ruby sh x'),
      // A formula is a program.
      shape: /\.rb$/i,
    },
    wraps: { subcommands: ['exec', 'x'] },
    examples: {
      permitted: ['brew install x'],
      refused: ['brew sh', 'brew info ./x.rb'],
      mutates: [['brew exec rm -r a', 'a']],
      harmless: ['brew rm a'],
    },
  },
  {
    names: ['journalctl'],
    unsafe: {
      options: list('--cursor-file --vacuum-size --vacuum-time --vacuum-files --rotate'),
      harmless: ['--cursor'],
    },
    examples: { permitted: ['journalctl --cursor=x'], refused: ['journalctl --rotate'] },
  },
  {
    names: ['crontab', 'run-parts', 'dbus-send', 'rundll32', 'mshta', 'open', 'xdg-open', 'ldd'],
    exactOnly: 'runs-programs',
    examples: { refused: ['crontab x'] },
  },
]

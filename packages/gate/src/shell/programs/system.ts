import { list, type Program } from './program.ts'

/** Programs for an operating system (its packages, which bring programs, its log, its jobs), for clusters and for clouds. */
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
  {
    names: ['kubectl'],
    unsafe: {
      options: list(
        '--kubeconfig --cache-dir --profile-output --output-directory --enable-exec --enable-alpha-plugins --helm-command ' +
          '--log-file --log-dir',
      ),
      harmless: ['--profile', '--output'],
      readingUses: new Map([
        ['config', list('view current-context get-clusters get-contexts get-users use-context')],
        ['plugin', ['list']],
      ]),
    },
    examples: {
      permitted: ['kubectl get pods --output yaml', 'kubectl config view'],
      refused: ['kubectl get pods --kubeconfig=x', 'kubectl config set-credentials x'],
    },
  },
  {
    names: ['helm'],
    unsafe: {
      options: list('--post-renderer --post-renderer-args --kubeconfig --output-dir --registry-config'),
      harmless: ['--output'],
      readingUses: new Map([['plugin', ['list', 'ls']]]),
    },
    examples: { permitted: ['helm list -A'], refused: ['helm template x --post-renderer id', 'helm plugin install x'] },
  },
  {
    names: ['aws'],
    unsafe: { options: ['--kubeconfig'], readingUses: new Map([['configure', ['list', 'get', 'list-profiles']]]) },
    examples: { permitted: ['aws s3 ls'], refused: ['aws configure set cli_pager id'] },
  },
  {
    names: ['gcloud'],
    unsafe: { options: ['--flags-file', '--ssh-flag', '--scp-flag'], words: ['ssh', 'scp', 'start-iap-tunnel'] },
    examples: { permitted: ['gcloud info'], refused: ['gcloud compute ssh x'] },
  },
  {
    names: ['az'],
    unsafe: {
      options: ['--output-file'],
      harmless: ['--output'],
      readingUses: new Map([['extension', ['list', 'show']]]),
    },
    examples: { permitted: ['az vm list --output table'], refused: ['az extension add --source x'] },
  },
]

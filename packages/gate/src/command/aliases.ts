/** Other names of subcommands, for rules that deny. Groups of equal names; no other names are known. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  npm: [
    'install i in ins inst insta instal isnt isnta isntal isntall add',
    'install-test it install-clean-test cit',
    'ci clean-install ic install-clean isntall-clean',
    'uninstall un unlink remove rm r',
    'update up upgrade udpate',
    'exec x',
    'run run-script rum urn',
    'test tst t',
    'view info show v',
    'list ls la ll',
    'link ln',
    'login adduser add-user',
    'config c set',
    'search find s se',
    'dedupe ddp',
  ],
  pnpm: [
    'install i add it install-test',
    'remove rm uninstall un',
    'update up upgrade',
    'exec x dlx',
    'run run-script',
    'link ln',
  ],
  yarn: ['install add', 'remove unlink', 'up upgrade upgrade-interactive', 'run exec dlx', 'publish npm'],
  bun: ['install i add a', 'remove rm', 'run x', 'update up'],
  cargo: ['build b', 'check c', 'run r', 'test t', 'doc d', 'remove rm', 'install add'],
  docker: ['run create container', 'rm container', 'rmi image', 'push image', 'ps container', 'compose stack'],
  kubectl: ['apply replace patch', 'run create', 'delete del'],
  git: ['stage add', 'switch checkout', 'restore checkout', 'push send-pack'],
  gh: ['repo repository', 'list ls', 'create new', 'delete rm'],
  brew: ['install instal reinstall', 'uninstall remove rm', 'upgrade up'],
  apt: ['install reinstall', 'remove purge autoremove', 'upgrade full-upgrade dist-upgrade'],
}

const SAME_PROGRAM: Readonly<Record<string, string>> = {
  pip3: 'pip',
  'apt-get': 'apt',
  aptitude: 'apt',
  podman: 'docker',
}

export function isSubcommand(program: string, rule: string, word: string): boolean {
  if (word === rule) return true
  const known = SAME_PROGRAM[program] ?? program
  // npm takes the beginning of a name, if it is certain which.
  if (known === 'npm' && word.length > 1 && rule.startsWith(word)) return true
  // `HEAD:main` is another spelling of what is pushed.
  if (known === 'git' && /[:+/]/.test(word) && word.split(/[:+/]/).at(-1) === rule) return true
  return (
    ALIASES[known]?.some((group) => {
      const names = group.split(' ')
      return names.includes(rule) && names.includes(word)
    }) === true
  )
}

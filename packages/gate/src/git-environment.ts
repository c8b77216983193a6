/**
 * Variables that keep git from running programs that the configuration of a repository names: hooks, a file system
 * monitor, pagers, editors, an ssh command, a proxy, the `ext` transport, helpers for credentials and signatures,
 * questions for a password. Configuration from the environment goes before a repository's own (git 2.31 or later).
 *
 * It does not reach what has names of the repository's own: external diffs and text converters (`git diff --no-ext-diff
 * --no-textconv` does), filters, merge drivers, aliases, trailers, archive formats, configured hooks, viewers of help,
 * the `uploadpack`, `receivepack` and `vcs` of a remote, the `update` of a submodule; nor `pull.twohead`, nor the hooks
 * of another repository of this machine that `push`, `fetch` or `archive --remote` works in.
 * @returns variables to be put over the environment of a host's shell tool
 */
export function safeGitEnvironment(): Readonly<Record<string, string>> {
  const settings = Object.entries(SETTINGS)
  return {
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
    GIT_SSH_COMMAND: 'ssh',
    // Of several settings the first one counts, which is never one from here.
    GIT_PROXY_COMMAND: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

const SETTINGS = {
  'core.alternateRefsCommand': 'true',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.askPass': '',
  'core.sshCommand': 'ssh',
  'credential.helper': '',
  'gpg.program': 'gpg',
  'gpg.ssh.program': 'ssh-keygen',
  'gpg.ssh.defaultKeyCommand': 'false',
  'gpg.x509.program': 'gpgsm',
  // A mistyped subcommand is not corrected to an alias.
  'help.autoCorrect': '0',
  'interactive.diffFilter': 'cat',
  // `gpg` writes into the user's home.
  'log.showSignature': 'false',
  'protocol.ext.allow': 'never',
  // A line break in the format makes its own line, which may be `exec …`.
  'rebase.instructionFormat': '%s',
  'tar.tgz.command': 'gzip -cn',
  'tar.tar.gz.command': 'gzip -cn',
}

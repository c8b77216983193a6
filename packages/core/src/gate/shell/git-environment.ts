/**
 * What keeps git from running programs that the configuration of a repository names, so that a plain `git status` in a
 * folder of anybody's runs nothing else: hooks, a file system monitor, a pager, an editor, an ssh command, a proxy, the
 * `ext` transport, helpers for credentials and signatures, questions for a password. Configuration from the environment
 * goes before a repository's own (git 2.31 or later).
 *
 * It does not reach what has names of the repository's own: an external diff (`git diff --no-ext-diff` does), filters,
 * text converters and merge drivers that a repository both configures and assigns to files, aliases, the commands of
 * trailers, and the `uploadpack` and `receivepack` of a remote, which `fetch` and `push` run.
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
    // Of several in the configuration the first counts, which is never that from here.
    GIT_PROXY_COMMAND: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

const SETTINGS = {
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
  'protocol.ext.allow': 'never',
}

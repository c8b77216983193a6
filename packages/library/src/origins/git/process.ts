import { devNull } from 'node:os'
import process from 'node:process'

/** Variables of this process that a program needs to be found and to start. */
const INHERITED = ['PATH', 'TMPDIR', 'SYSTEMROOT', 'SystemRoot', 'COMSPEC', 'TEMP', 'TMP'] as const

/** What ssh needs to find keys, known hosts and an agent. */
const FOR_SSH = ['HOME', 'USER', 'LOGNAME', 'USERPROFILE', 'SSH_AUTH_SOCK'] as const

/** Settings that hold for every run, whatever the machine's or a repository's own say. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['protocol.allow', 'never'],
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['http.proxy', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.negotiationAlgorithm', 'noop'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]

/**
 * Returns the complete environment of git: no configuration of the machine, no credentials, no questions, one protocol.
 * @param protocol undefined: none, so that nothing is asked
 * @param home a folder without anything in it; ssh alone sees the user's
 * @param settings what one origin needs beside; a token stands here, since arguments can be read by everybody
 */
export function gitEnvironment(
  protocol: string | undefined,
  home: string,
  settings: readonly (readonly [string, string])[] = [],
): Record<string, string> {
  const env: Record<string, string> = {
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_SSH_VARIANT: 'ssh',
    GIT_ALLOW_PROTOCOL: protocol ?? '',
    GIT_PROTOCOL_FROM_USER: '0',
  }
  for (const name of [...INHERITED, ...(protocol === 'ssh' ? FOR_SSH : [])]) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  const all = [
    ...SETTINGS,
    ...(protocol === undefined ? [] : [[`protocol.${protocol}.allow`, 'always'] as const]),
    ...settings,
  ]
  env['GIT_CONFIG_COUNT'] = String(all.length)
  for (const [index, [key, value]] of all.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return env
}

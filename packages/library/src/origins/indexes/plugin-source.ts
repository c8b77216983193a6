import { pluginPath } from './plugin-path.ts'

/** Where a plugin is, as its marketplace says it. */
export type PluginSource =
  | { readonly kind: 'relative'; readonly path: string }
  /** A repository, as `resolveOrigin` takes it, and a folder in it. */
  | {
      readonly kind: 'git'
      readonly text: string
      readonly path: string
      readonly ref?: string
      readonly commit?: string
    }
  | { readonly kind: 'npm'; readonly text: string; readonly registry?: string }

/**
 * Reads the field `source` of a plugin: a path, or an object of the kinds `github`, `url`, `git-subdir` and `npm`.
 * @param pluginRoot the folder below which paths are, where the marketplace names one
 * @returns the place, or why it cannot be gone to
 */
export function readPluginSource(value: unknown, pluginRoot: string): PluginSource | { readonly problem: string } {
  if (typeof value === 'string') {
    const relative = pluginPath(value)
    if ('problem' in relative) return relative
    const { path } = relative
    const isBelow = pluginRoot === '' || path === pluginRoot || path.startsWith(`${pluginRoot}/`)
    return { kind: 'relative', path: isBelow ? path : `${pluginRoot}/${path}`.replace(/\/$/, '') }
  }
  if (typeof value !== 'object' || value === null) return { problem: 'its source is neither a path nor an object' }
  const { source, repo, url, path, ref, sha, package: name, version, registry } = value as Record<string, unknown>
  if (source === 'npm') return npmSource(name, version, registry)
  if (source !== 'github' && source !== 'url' && source !== 'git-subdir') {
    return { problem: `sources of the kind ${JSON.stringify(source)?.slice(0, 100)} are not read` }
  }
  const text = source === 'github' ? shortText(repo) : gitText(url)
  if (text === undefined) return { problem: 'its repository is not owner/repo, https://…, ssh://… or git@…' }
  if (ref !== undefined && typeof ref !== 'string') return { problem: 'its ref is not a text' }
  if (sha !== undefined && !(typeof sha === 'string' && /^[\da-f]{40}$/i.test(sha))) {
    return { problem: 'its sha is not a whole commit, 40 hexadecimal digits' }
  }
  const folder = source === 'git-subdir' ? pluginPath(path) : { path: '' }
  if ('problem' in folder) return folder
  const commit = sha?.toLowerCase()
  return {
    kind: 'git',
    text,
    path: folder.path,
    ref,
    commit,
  }
}

function npmSource(name: unknown, version: unknown, registry: unknown): PluginSource | { readonly problem: string } {
  if (typeof name !== 'string') return { problem: 'its package has no name' }
  if (version !== undefined && typeof version !== 'string') return { problem: 'its version is not a text' }
  if (registry !== undefined && typeof registry !== 'string') return { problem: 'its registry is not an address' }
  const text = `npm:${name}${version === undefined ? '' : `@${version}`}`
  return { kind: 'npm', text, registry }
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.-]+\/[\w.-]+$/.test(value) ? value : undefined
}

/** Nothing of this machine: what a marketplace says is not what its user has asked for. */
function gitText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^https:\/\//i.test(value)) return `git+${value}`
  return /^ssh:\/\/|^git@/i.test(value) ? value : shortText(value)
}

import { showName } from '@repertoire/core'
import { refused, invalidOrigin, unreachable } from '../failure.ts'
import { tokenVariable } from '../tokens.ts'
import type { GitAddress } from './address.ts'
import type { GitRemote } from './remote.ts'

/** Exactly what of a repository is meant. */
export interface GitRevision {
  readonly commit: string
  /** As it was asked for. Absent: whatever the repository shows first. */
  readonly ref?: string
  /** The folder; empty: all of it. */
  readonly path: string
}

const COMMIT = /^(?:[\da-f]{40}|[\da-f]{64})$/

/**
 * Resolves a branch or a tag to its commit now, and a commit to itself.
 * @throws {SkillError} ORIGIN_UNREACHABLE: no such repository, or no such branch; ORIGIN_REFUSED: a branch and a tag
 */
export async function resolveRevision(
  { source, ref, path = '' }: GitAddress,
  wanted: string | undefined,
  remote: GitRemote,
  signal: AbortSignal,
): Promise<GitRevision> {
  if (wanted !== undefined && !COMMIT.test(wanted)) {
    throw invalidOrigin(source, `the revision "${showName(wanted)}" is not a whole commit.`)
  }
  const named = ref !== undefined && COMMIT.test(ref) ? ref : undefined
  if (wanted !== undefined && named !== undefined && wanted !== named) {
    throw refused(source, `${wanted} is wanted, and ${named} named.`)
  }
  const commit = wanted ?? named ?? commitOf(source, await listRefs(remote, ref, signal), ref)
  if (commit !== undefined) return { commit, ref, path }
  const what = ref === undefined ? 'it is empty' : `it has neither a branch nor a tag "${showName(ref)}"`
  throw unreachable(source, `${what}. Name a branch, a tag or a whole commit, behind "#" if its name has a "/".`)
}

async function listRefs(
  remote: GitRemote,
  ref: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = ref === undefined ? ['HEAD'] : namesOf(ref)
  const end = await remote.ask(['ls-remote', '--quiet', '--', remote.url, ...names], { signal })
  if (end.code !== 0) {
    const { host } = new URL(remote.url)
    const orToken = host && `, or wants a token, as ${tokenVariable(host)} in the environment`
    remote.fail(end, `The repository is not there${orToken}.`)
  }
  const lines = end.stdout.toString().split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]))
}

function namesOf(ref: string): readonly string[] {
  const full = ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
  // An annotated tag is a separate object; `^{}` is the object that it points to.
  return full.flatMap((name) => [name, `${name}^{}`])
}

function commitOf(source: string, refs: ReadonlyMap<string, string>, ref: string | undefined): string | undefined {
  const [branch = 'HEAD', , tag = branch] = ref === undefined ? [] : namesOf(ref)
  const [ofBranch, ofTag] = [branch, tag].map((name) => refs.get(`${name}^{}`) ?? refs.get(name))
  if (ofBranch !== undefined && ofTag !== undefined && ofBranch !== ofTag) {
    throw refused(source, `"${showName(ref!)}" is a branch and a tag. Write refs/heads/${ref} or refs/tags/${ref}.`)
  }
  const commit = ofBranch ?? ofTag
  if (commit === undefined || COMMIT.test(commit)) return commit
  throw unreachable(source, 'its answer is not one of git.')
}

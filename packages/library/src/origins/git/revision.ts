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

/** As many parts of a path as a branch may have. */
const MAX_REF_PARTS = 8

/**
 * Resolves a branch or a tag to its commit now, and a commit to itself.
 * @throws {SkillError} ORIGIN_UNREACHABLE: no such repository, or no such branch; ORIGIN_REFUSED: a branch and a tag
 */
export async function resolveRevision(
  { source, ref, refAndPath, path = '' }: GitAddress,
  wanted: string | undefined,
  remote: GitRemote,
  signal: AbortSignal,
): Promise<GitRevision> {
  if (wanted !== undefined && !COMMIT.test(wanted)) {
    throw invalidOrigin(source, `the revision "${showName(wanted)}" is not a whole commit.`)
  }
  const candidates = candidatesOf(ref, refAndPath, path)
  const known = candidates.find((each) => each.ref !== undefined && COMMIT.test(each.ref))
  if (known?.ref !== undefined) {
    if (wanted !== undefined && wanted !== known.ref)
      throw refused(source, `${wanted} is wanted, and ${known.ref} named.`)
    return { ref: known.ref, path: known.path, commit: known.ref }
  }
  const [only] = candidates
  if (wanted !== undefined && candidates.length === 1) return { ...only!, commit: wanted }
  const refs = await listRefs(remote, candidates, signal)
  for (const candidate of candidates) {
    const commit = commitOf(source, refs, candidate.ref)
    if (commit !== undefined) return { ...candidate, commit: wanted ?? commit }
  }
  const asked = ref ?? refAndPath?.join('/')
  const what = asked === undefined ? 'it is empty' : `it has neither a branch nor a tag "${showName(asked)}"`
  throw unreachable(source, `${what}. Name a branch, a tag or a whole commit.`)
}

interface Candidate {
  readonly ref?: string
  readonly path: string
}

/** A branch can have parts as a folder can; no repository has both `a` and `a/b`, so that one at most exists. */
function candidatesOf(
  ref: string | undefined,
  refAndPath: readonly string[] | undefined,
  path: string,
): readonly Candidate[] {
  if (ref !== undefined) return [{ ref, path: path || (refAndPath?.slice(1).join('/') ?? '') }]
  if (refAndPath === undefined) return [{ path }]
  return refAndPath.slice(0, MAX_REF_PARTS).map((_part, index) => ({
    ref: refAndPath.slice(0, index + 1).join('/'),
    path: refAndPath.slice(index + 1).join('/'),
  }))
}

async function listRefs(
  remote: GitRemote,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = candidates.flatMap(({ ref }) => (ref === undefined ? ['HEAD'] : namesOf(ref)))
  const end = await remote.ask(['ls-remote', '--quiet', '--', remote.url, ...names], { signal })
  if (end.code !== 0)
    remote.fail(
      end,
      `The repository is not there, or wants a token, as ${tokenVariable(new URL(remote.url).host)} in the environment.`,
    )
  const lines = end.stdout.toString().split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]))
}

function namesOf(ref: string): readonly string[] {
  const full = ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
  // An annotated tag is a separate object; `^{}` is the object that it points to.
  return full.flatMap((name) => [name, `${name}^{}`])
}

function commitOf(source: string, refs: ReadonlyMap<string, string>, ref: string | undefined): string | undefined {
  if (ref === undefined) return checked(source, refs.get('HEAD'))
  const [branch, , tag] = namesOf(ref)
  const ofBranch = refs.get(`${branch!}^{}`) ?? refs.get(branch!)
  const ofTag = tag === undefined ? undefined : (refs.get(`${tag}^{}`) ?? refs.get(tag))
  if (ofBranch !== undefined && ofTag !== undefined && ofBranch !== ofTag) {
    throw refused(source, `"${showName(ref)}" is a branch and a tag. Write refs/heads/${ref} or refs/tags/${ref}.`)
  }
  return checked(source, ofBranch ?? ofTag)
}

function checked(source: string, commit: string | undefined): string | undefined {
  if (commit === undefined || COMMIT.test(commit)) return commit
  throw unreachable(source, 'its answer is not one of git.')
}

import type { Diagnostic } from '@repertoire/skill-md/internal'
import type { SkillVisitor } from '../ports/source.ts'

/** Searches for diagnostics that no skill depends on. */
export type DiagnosticSearch = () => readonly Diagnostic[]

/** Keyed by identity: a visitor that wraps or copies another must not be bypassed. */
const postponing = new WeakMap<SkillVisitor, (search: DiagnosticSearch) => void>()

/** Lets the built-in sources leave searches to a visitor, which runs them when the diagnostics are first read. */
export function takeLateSearches(visitor: SkillVisitor, take: (search: DiagnosticSearch) => void): void {
  postponing.set(visitor, take)
}

/** Leaves a search to a visitor. One that takes none is given what the search finds, at once. */
export function searchLater(visitor: SkillVisitor, search: DiagnosticSearch): void {
  const take = postponing.get(visitor)
  if (take !== undefined) take(search)
  else for (const diagnostic of search()) visitor.diagnostic(diagnostic)
}

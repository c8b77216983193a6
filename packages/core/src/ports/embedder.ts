/**
 * Turns texts into vectors, so that the search for skills also finds what says the same in other words. Any model of
 * embeddings will do, as long as one embedder always means the same model.
 */
export interface SkillEmbedder {
  /**
   * Returns one vector for each text, in their order, all of the same length. What it throws, a vector of another length,
   * one with a number that is not finite, and an answer that does not come in time leave the search to words alone.
   * @param texts at most 100: names and descriptions of skills, the beginnings of their bodies where `bodyChars` asks for
   * them, and without `embedQuery` also what is searched for
   * @param signal aborts where the answer is no longer waited for
   */
  embed(texts: readonly string[], signal: AbortSignal): PromiseLike<readonly ArrayLike<number>[]>
  /**
   * Returns the vector of what is searched for, of the same length as those of skills, for models that take questions and
   * documents apart: by an input type, a task type or a prefix. Default: `embed` with one text.
   * @param signal aborts where the answer is no longer waited for
   */
  embedQuery?(text: string, signal: AbortSignal): PromiseLike<ArrayLike<number>>
  /**
   * How much of the beginning of each skill's body is embedded, too, as a text of its own, in UTF-16 code units: about what
   * the model reads, at most 2,000. It takes several times the tokens, and which models find more by it, measuring them
   * tells. Default 0: bodies are given to no embedder.
   */
  readonly bodyChars?: number
}

/**
 * UTF-16 code units that are normalised at once. An engine sorts the marks that follow one character in time that grows
 * with the square of their number: two hundred thousand take minutes, a thousand less than a millisecond.
 */
const MAX_PIECE_CHARS = 1_000

/** Characters that nothing before is composed with or sorted among, in any normal form. Not all: enough for prose. */
const BOUNDARY =
  /[\0-\u007F\u00C0-\u02AF\u0370-\u0482\u048A-\u052F\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3]/

/**
 * Returns a text in a normal form of Unicode, in time that grows with its length alone. It is what `normalize` returns,
 * except where a thousand characters in a row leave no place to divide the text, as in a run of combining marks: no
 * language has such a text, and no file system such a name.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (text.length <= MAX_PIECE_CHARS) return text.normalize(form)
  return piecesOf(text)
    .map((piece) => piece.normalize(form))
    .join('')
}

/** Divides a text into pieces that can be normalised one by one. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > MAX_PIECE_CHARS) {
    const end = endOfPiece(text, start)
    pieces.push(text.slice(start, end))
    start = end
  }
  pieces.push(text.slice(start))
  return pieces
}

function endOfPiece(text: string, start: number): number {
  const last = start + MAX_PIECE_CHARS
  for (let end = last; end > start; end--) if (BOUNDARY.test(text.charAt(end))) return end
  // Never between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(last - 1)) ? last - 1 : last
}

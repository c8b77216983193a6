import { Writable } from 'node:stream'
import type { Output } from './output.ts'

/**
 * A stream for programs that write to one: what is written goes the way of all output, so that a reader who has gone is
 * no failure.
 * @param onError called with each failed write, which also fails for the writer. Default: none
 */
export function writableTo(output: Output, onError: (error: Error) => void = () => {}): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      output.write(chunk).then(
        () => done(),
        (reason: unknown) => {
          const error = reason instanceof Error ? reason : new Error(String(reason))
          onError(error)
          done(error)
        },
      )
    },
  })
}

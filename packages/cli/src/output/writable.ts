import { Writable } from 'node:stream'
import type { Output } from './output.ts'

/**
 * A stream for programs that write to one: what is written goes the way of all output, so that a reader who has gone is
 * no failure.
 * @param onError told of what cannot be written, beside whoever writes. Default: nobody
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

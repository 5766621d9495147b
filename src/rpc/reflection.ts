import { type DescExtension, type DescFile, type DescService, toBinary } from '@bufbuild/protobuf'
import { nestedTypes } from '@bufbuild/protobuf/reflect'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter } from '@connectrpc/connect'
import { ServerReflection } from '../contract/gen/grpc/reflection/v1/reflection_pb.js'
import { ServerReflection as ServerReflectionAlpha } from '../contract/gen/grpc/reflection/v1alpha/reflection_pb.js'
import { ServiceError } from '../contract/service-error.ts'
import { messageBytesMaxOf } from './message-bounds.ts'

/** Concurrent streams of one process; opening one needs no credential. */
const STREAMS_MAX = 64

/** Requests of one stream; a tool sends one for each service. */
const REQUESTS_MAX = 1000

/** Deadline of a stream in milliseconds: less than the edge's deadline for a body. */
const STREAM_MS_MAX = 8000

const NOT_FOUND = 5
const INVALID_ARGUMENT = 3

/** A request of either version: the two differ only in the names of their packages. */
interface ReflectionRequest {
  readonly host: string
  readonly messageRequest:
    | { readonly case: 'fileByFilename'; readonly value: string }
    | { readonly case: 'fileContainingSymbol'; readonly value: string }
    | {
        readonly case: 'fileContainingExtension'
        readonly value: { readonly containingType: string; readonly extensionNumber: number }
      }
    | { readonly case: 'allExtensionNumbersOfType'; readonly value: string }
    | { readonly case: 'listServices'; readonly value: string }
    | { readonly case: undefined; readonly value?: undefined }
}

type Body =
  | {
      readonly case: 'fileDescriptorResponse'
      readonly value: { fileDescriptorProto: Uint8Array<ArrayBuffer>[] }
    }
  | {
      readonly case: 'allExtensionNumbersResponse'
      readonly value: { baseTypeName: string; extensionNumber: number[] }
    }
  | { readonly case: 'listServicesResponse'; readonly value: { service: { name: string }[] } }
  | { readonly case: 'errorResponse'; readonly value: { errorCode: number; errorMessage: string } }

/** Registers server reflection, v1 and v1alpha, for these services and for itself. */
export function registerReflection(router: ConnectRouter, services: readonly DescService[]): void {
  const described = new Descriptions([...services, ServerReflection, ServerReflectionAlpha])
  const streams = { open: 0 }
  const answer = async function* <R extends ReflectionRequest>(requests: AsyncIterable<R>) {
    if (streams.open >= STREAMS_MAX) throw tooManyStreams()
    streams.open++
    try {
      const sent = new Set<DescFile>()
      for await (const request of withinTime(requests)) {
        const messageResponse = described.answer(request, sent)
        yield { validHost: request.host, originalRequest: request, messageResponse }
      }
    } finally {
      streams.open--
    }
  }
  const options = {
    readMaxBytes: messageBytesMaxOf(`/${ServerReflection.typeName}`, Number.POSITIVE_INFINITY),
  }
  router.service(ServerReflection, { serverReflectionInfo: (requests) => answer(requests) }, options)
  router.service(ServerReflectionAlpha, { serverReflectionInfo: (requests) => answer(requests) }, options)
}

/** The requests up to the deadline and the maximum number of a stream. */
async function* withinTime<R>(requests: AsyncIterable<R>): AsyncGenerator<R> {
  const over = Promise.withResolvers<IteratorResult<R>>()
  const timer = setTimeout(() => over.resolve({ done: true, value: undefined }), STREAM_MS_MAX)
  const iterator = requests[Symbol.asyncIterator]()
  try {
    for (let count = 0; count < REQUESTS_MAX; count++) {
      const next = await Promise.race([iterator.next(), over.promise])
      if (next.done === true) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The files of services, by name, symbol and extension. */
class Descriptions {
  readonly #services: readonly DescService[]
  readonly #byName = new Map<string, DescFile>()
  readonly #bySymbol = new Map<string, DescFile>()
  readonly #extensions = new Map<string, Map<number, DescExtension>>()
  readonly #bytes = new Map<DescFile, Uint8Array<ArrayBuffer>>()

  constructor(services: readonly DescService[]) {
    this.#services = services
    for (const { file } of services) this.#addFile(file)
  }

  /** The answer to one request; `sent` collects the files that its stream has already sent. */
  answer({ messageRequest }: ReflectionRequest, sent: Set<DescFile>): Body {
    switch (messageRequest.case) {
      case 'fileByFilename':
        return this.#files(this.#byName.get(messageRequest.value), messageRequest.value, sent)
      case 'fileContainingSymbol':
        return this.#files(this.#bySymbol.get(messageRequest.value), messageRequest.value, sent)
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = messageRequest.value
        const extension = this.#extensions.get(containingType)?.get(extensionNumber)
        return this.#files(extension?.file, `${containingType} ${extensionNumber}`, sent)
      }
      case 'allExtensionNumbersOfType':
        return this.#extensionNumbers(messageRequest.value)
      case 'listServices': {
        const service = this.#services.map(({ typeName }) => ({ name: typeName }))
        return { case: 'listServicesResponse', value: { service } }
      }
      default:
        return failure(INVALID_ARGUMENT, 'the request is empty; set one of its fields')
    }
  }

  #addFile(file: DescFile): void {
    if (this.#byName.has(file.proto.name)) return
    this.#byName.set(file.proto.name, file)
    for (const type of nestedTypes(file)) {
      this.#bySymbol.set(type.typeName, file)
      if (type.kind === 'extension') this.#addExtension(type)
      else if (type.kind === 'service') this.#addMembers(type.typeName, type.methods, file)
      else if (type.kind === 'message')
        this.#addMembers(type.typeName, [...type.fields, ...type.oneofs], file)
      // Names of enum values are in the scope of their enum.
      else this.#addMembers(type.typeName.replace(/\.?[^.]+$/, ''), type.values, file)
    }
    for (const dependency of file.dependencies) this.#addFile(dependency)
  }

  #addMembers(scope: string, members: readonly { readonly name: string }[], file: DescFile): void {
    for (const { name } of members) this.#bySymbol.set(`${scope}.${name}`, file)
  }

  #addExtension(extension: DescExtension): void {
    const { typeName } = extension.extendee
    const known = this.#extensions.get(typeName) ?? new Map<number, DescExtension>()
    this.#extensions.set(typeName, known.set(extension.number, extension))
  }

  #files(file: DescFile | undefined, name: string, sent: Set<DescFile>): Body {
    if (!file) return notFound(name)
    const needed = [file, ...dependenciesOf(file)].filter((one) => one === file || !sent.has(one))
    for (const one of needed) sent.add(one)
    const fileDescriptorProto = needed.map((one) => this.#bytesOf(one))
    return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } }
  }

  #extensionNumbers(baseTypeName: string): Body {
    const numbers = this.#extensions.get(baseTypeName)
    if (!numbers && !this.#bySymbol.has(baseTypeName)) return notFound(baseTypeName)
    const extensionNumber = [...(numbers?.keys() ?? [])].sort((a, b) => a - b)
    return { case: 'allExtensionNumbersResponse', value: { baseTypeName, extensionNumber } }
  }

  #bytesOf(file: DescFile): Uint8Array<ArrayBuffer> {
    const known = this.#bytes.get(file)
    if (known) return known
    const bytes = toBinary(FileDescriptorProtoSchema, file.proto)
    this.#bytes.set(file, bytes)
    return bytes
  }
}

/** The direct and indirect dependencies of a file, each once. */
function dependenciesOf(file: DescFile): Set<DescFile> {
  const found = new Set<DescFile>()
  const visit = ({ dependencies }: DescFile): void => {
    for (const dependency of dependencies) {
      if (found.has(dependency)) continue
      found.add(dependency)
      visit(dependency)
    }
  }
  visit(file)
  return found
}

function notFound(name: string): Body {
  return failure(NOT_FOUND, `there is no file or symbol ${JSON.stringify(name.slice(0, 64))}`)
}

function failure(errorCode: number, errorMessage: string): Body {
  return { case: 'errorResponse', value: { errorCode, errorMessage } }
}

function tooManyStreams(): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'too many reflection streams are open; try again later',
    retryAfterSeconds: 10,
  })
}

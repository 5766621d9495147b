import { fromBinary } from '@bufbuild/protobuf'
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt'

/** An element of a file: its full name, and its path as source info numbers it. */
type Element = readonly [name: string, path: string]

/** Field numbers of descriptor.proto, which make up a path. */
const IN_FILE = { messages: 4, enums: 5 }
const IN_MESSAGE = { fields: 2, messages: 3, enums: 4 }
const IN_ENUM = { values: 2 }

/**
 * The comments before messages, fields, enums and their values in an image of `buf build`, each in one line, by full
 * name; those of the packages that the prefixes name. Values are named after their enum: `pkg.Enum.VALUE`.
 */
export function readComments(
  image: Uint8Array,
  packages: readonly string[],
): Readonly<Record<string, string>> {
  const { file } = fromBinary(FileDescriptorSetSchema, image)
  const files = file.filter((each) => packages.some((prefix) => each.package.startsWith(prefix)))
  return Object.fromEntries(files.flatMap(commentsOfFile))
}

function commentsOfFile(file: FileDescriptorProto): [name: string, comment: string][] {
  const comments = new Map(
    file.sourceCodeInfo?.location.map(({ path, leadingComments }) => [path.join('.'), leadingComments]),
  )
  return elementsOf(file).flatMap(([name, path]): [string, string][] => {
    const comment = comments.get(path)?.trim().replace(/\s+/g, ' ') ?? ''
    return comment === '' ? [] : [[name, comment]]
  })
}

function elementsOf(file: FileDescriptorProto): readonly Element[] {
  const messages = file.messageType.flatMap((each, index) =>
    inMessage(each, [`${file.package}.${each.name}`, `${IN_FILE.messages}.${index}`]),
  )
  const enums = file.enumType.flatMap((each, index) =>
    inEnum(each, [`${file.package}.${each.name}`, `${IN_FILE.enums}.${index}`]),
  )
  return [...messages, ...enums]
}

function inMessage(message: DescriptorProto, [name, path]: Element): readonly Element[] {
  const fields = message.field.map(
    (each, index): Element => [`${name}.${each.name}`, `${path}.${IN_MESSAGE.fields}.${index}`],
  )
  const messages = message.nestedType.flatMap((each, index) =>
    inMessage(each, [`${name}.${each.name}`, `${path}.${IN_MESSAGE.messages}.${index}`]),
  )
  const enums = message.enumType.flatMap((each, index) =>
    inEnum(each, [`${name}.${each.name}`, `${path}.${IN_MESSAGE.enums}.${index}`]),
  )
  return [[name, path], ...fields, ...messages, ...enums]
}

function inEnum({ value }: EnumDescriptorProto, [name, path]: Element): readonly Element[] {
  const values = value.map(
    (each, index): Element => [`${name}.${each.name}`, `${path}.${IN_ENUM.values}.${index}`],
  )
  return [[name, path], ...values]
}

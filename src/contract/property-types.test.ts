import { expect, test } from 'vitest'
import { PropertyValueSchema, PropertyValueType } from './gen/common/v1/property_pb.js'
import { PROPERTY_TYPE_NAMES, PROPERTY_TYPES } from './property-types.ts'

test('the table has every variant of a PropertyValue by its names and number', () => {
  const variants = PropertyValueSchema.fields.map(({ name, jsonName, number }) => [name, jsonName, number])
  expect(
    Object.values(PROPERTY_TYPES).map((type) => [type.protoField, type.jsonField, type.fieldNumber]),
  ).toEqual(variants)
})

test('the order of the table is the order of the types in the filter schema', () => {
  const numbers = Object.values(PROPERTY_TYPES).map(({ valueType }) => valueType)
  expect(numbers).toEqual(PROPERTY_TYPE_NAMES.map((_, index) => index + 1))
  expect(numbers).not.toContain(PropertyValueType.OTHER)
})

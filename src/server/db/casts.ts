// In a SELECT without a table PostgreSQL takes every parameter for text unless it is told otherwise.
import { type Expression, sql } from 'kysely';

export const asText = <T>(value: Expression<T>) => sql<T>`cast(${value} as text)`;
export const asNumber = <T>(value: Expression<T>) => sql<T>`cast(${value} as bigint)`;

// `Reflect.metadata`, which the library for passkeys needs while it is loaded.
import 'reflect-metadata';

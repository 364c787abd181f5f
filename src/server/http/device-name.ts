// The browser and system of whoever makes a request.
import type { Context } from 'hono';
import { deviceName } from '../../shared/device-name.ts';

export const deviceOf = (c: Context): string => deviceName(c.req.header('user-agent') ?? '');

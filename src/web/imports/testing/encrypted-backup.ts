// An encrypted backup of Standard Notes (protocol 004), sealed by libsodium as the application does it. For tests.
import { fromHex } from '../../../crypto/base64.ts';

export const BACKUP_PASSWORD = 'lantern in the orchard 7';
/** What the password is stretched to. */
export const BACKUP_KEY = fromHex('d211249a9339a314c9615ec9af79a974734601e7db9e9b26d8541d790f8d84da');

export const encryptedBackup = {
  version: '004',
  keyParams: {
    identifier: 'nora@example.org',
    pw_nonce: '78377b525757b494427f89014f97d79928f3938d14eb51e20fb5dec9834eb304',
    version: '004',
    origination: 'registration',
    created: '1717408000000',
  },
  items: [
    {
      uuid: '7f6cf8a4-0000-4000-8000-000000000001',
      content_type: 'SN|ItemsKey',
      content:
        '004:dd4a42edeccdd09c352de1587f71a7ff8e9a7c39290d6ef7:40sPdS4xNF9D8PTgvhUUO+raZGz2Xrh9cW6VmFweIjQvWJUTWAfnXvphNoy8CU0+CXmpCZ2rxBkHgBizPXwA7eRhVdv5+vX1E6NzXBciyB6bC2jOu8eDvXXu11jsynxnGIMzXIjvjAGLCx0oemVtjsKIyR2Xner1aissXjkW7gQWyS1AdQ==:eyJrcCI6eyJpZGVudGlmaWVyIjoibm9yYUBleGFtcGxlLm9yZyIsInB3X25vbmNlIjoiNzgzNzdiNTI1NzU3YjQ5NDQyN2Y4OTAxNGY5N2Q3OTkyOGYzOTM4ZDE0ZWI1MWUyMGZiNWRlYzk4MzRlYjMwNCIsInZlcnNpb24iOiIwMDQiLCJvcmlnaW5hdGlvbiI6InJlZ2lzdHJhdGlvbiIsImNyZWF0ZWQiOiIxNzE3NDA4MDAwMDAwIn0sInUiOiI3ZjZjZjhhNC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ2IjoiMDA0In0=:e30=',
      enc_item_key:
        '004:e233990a095916ba9245eb97df302b4216827df531dcd9b1:qDwGL2J3R4W2QFdVBpoCelCR+E1pDwbtLSQS8MsOXmUxy8r3ET8mm9F6GkR8Ai/GIpdWnXlDD2PBYpTRxX89BGpAyH7+Me7niI8ycgcNz3k=:eyJrcCI6eyJpZGVudGlmaWVyIjoibm9yYUBleGFtcGxlLm9yZyIsInB3X25vbmNlIjoiNzgzNzdiNTI1NzU3YjQ5NDQyN2Y4OTAxNGY5N2Q3OTkyOGYzOTM4ZDE0ZWI1MWUyMGZiNWRlYzk4MzRlYjMwNCIsInZlcnNpb24iOiIwMDQiLCJvcmlnaW5hdGlvbiI6InJlZ2lzdHJhdGlvbiIsImNyZWF0ZWQiOiIxNzE3NDA4MDAwMDAwIn0sInUiOiI3ZjZjZjhhNC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ2IjoiMDA0In0=:e30=',
      created_at: '2024-06-01T08:00:00.000Z',
    },
    {
      uuid: '7f6cf8a4-0000-4000-8000-000000000002',
      content_type: 'Note',
      content:
        '004:bab3fc08b2f1d271bcbddd833c9e0cf0128f363353d30491:lI4aoNyLnh1CT7A78SREDoiQegiWQ/xE0GDDAb1Fi/jcRCUUH5LbrOBP3OfzStV9gWrEVB7iKjlpZTfoS8aHN57kuGvg+hDHU3CMv5aNQxgO4DY3AgRNZzlJ:eyJ1IjoiN2Y2Y2Y4YTQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAyIiwidiI6IjAwNCJ9:e30=',
      enc_item_key:
        '004:7081d028f58985ccd10497465a077d1fde0c659015a2ee64:D+5QvGbWQVwRVeta26DFs56MZWKMO4Sv3ZWEzGVynA8BoGrGizmko1hO72MV1KTf819zvR9PZzigMcHU3bfTO6/5HuP1LCureL4cLQIlU4k=:eyJ1IjoiN2Y2Y2Y4YTQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAyIiwidiI6IjAwNCJ9:e30=',
      items_key_id: '7f6cf8a4-0000-4000-8000-000000000001',
      created_at: '2024-06-03T10:12:00.000Z',
    },
    {
      uuid: '7f6cf8a4-0000-4000-8000-000000000003',
      content_type: 'Note',
      content:
        '004:34938614615cf08fbf2974bef9e396ea536c7c260501f866:ndIQIaHwBKMJ9UpoMgFMp/zWIv3nnetyGThxxkvxT5dMP69hyxgE3eZXW3eWnGDxJhaZUIjOsLFt+R7PuWQMFLQi0q7Lx5XEe2ffLF73rNQCwW1nDGCzHw==:eyJ1IjoiN2Y2Y2Y4YTQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAzIiwidiI6IjAwNCJ9:e30=',
      enc_item_key:
        '004:0a566dd8df28bd6f80d4c6bc079aeec5e567ffae11245e85:gJgSBzEJhFdLL3YIJ3Le2SZnDNjpb/sb2YfVY58wDq3ai+AL+VxPRINAKsVHrbDOu4sZ9RoUgMqxDSvJwWZMIGHB++9jm5YBHsjEGtLissA=:eyJ1IjoiN2Y2Y2Y4YTQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAzIiwidiI6IjAwNCJ9:e30=',
      items_key_id: '7f6cf8a4-0000-4000-8000-000000000001',
      created_at: '2024-06-03T10:13:00.000Z',
    },
    {
      uuid: '7f6cf8a4-0000-4000-8000-000000000004',
      content_type: 'Tag',
      content:
        '004:71e8d4bd5d419ddf87de8b6166a5de12d8e03b6e67b4da5d:hRXluD4LqFESBCDqLOUAMskdel1QqWqNh34X03EEkPe/qHM1RVMLB2dXizKrzpUYeWtMZ8yxUNKHWv3DjOApL+bwoxcNCHRejha4grCRTCsix2YXRrBDge3R5xqq2x84mBtbvb7XBs67jvMFSdDM/G9FizXo4b2JThat94A=:eyJ1IjoiN2Y2Y2Y4YTQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDA0IiwidiI6IjAwNCJ9:e30=',
      enc_item_key:
        '004:16861a0342eab417cb56d022359aab3368c2a7ab0e2ac94a:Fsylezlck3mp7SV78cHwHmp+6yiAYNY90WT/iuIlgs48u2hh11bdrayV9sc2h5E7n4hcpLiVKae33ezDZdiZhW586fxyEAJkWC1xGyFZ7h8=:eyJ1IjoiN2Y2Y2Y4YTQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDA0IiwidiI6IjAwNCJ9:e30=',
      items_key_id: '7f6cf8a4-0000-4000-8000-000000000001',
      created_at: '2024-06-03T10:14:00.000Z',
    },
  ],
};

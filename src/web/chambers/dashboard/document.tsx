// The desk in the app's document, for somebody whose vault opens by itself: it stands there before the app has come, which then draws
// the same in its place. The line takes words from the beginning (web/early-words.ts); what only the app can answer waits for it.
import { Router } from 'wouter';
import { headWord, MemberNav } from '../../shell/member-nav.tsx';
import { Shell } from '../../ui/page.tsx';
import { Desk, LineFields } from './desk.tsx';

const nothing = () => {};

export function DeskBeforeApp() {
  return (
    <Router ssrPath="/">
      <Shell
        nav={
          <div inert>
            <MemberNav
              commands={{ search: nothing, lock: nothing }}
              more={() => null}
              leave={
                <a href="/api/logout" className={headWord()}>
                  Leave
                </a>
              }
            />
          </div>
        }
      >
        <Desk>
          <LineFields isWaiting />
        </Desk>
      </Shell>
    </Router>
  );
}

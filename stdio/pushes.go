package stdio

import "sync"

// pushes collects who has something to send of the server's own initiative. One goroutine at a time carries it to the
// output; it exists only while there is work, so that nobody who publishes waits for a slow client.
type pushes struct {
	mu      sync.Mutex
	session bool    // the session was woken
	woken   []*task // open subscriptions that were woken
	running bool
}

// wakeSession is the session's wake.
func (c *conn) wakeSession() {
	p := &c.pushes
	p.mu.Lock()
	p.session = true
	c.startPushing()
	p.mu.Unlock()
}

// wake is a subscription's wake. One that wakes within its Serve is pushed when that has returned.
func (c *conn) wake(t *task) {
	c.pushes.mu.Lock()
	defer c.pushes.mu.Unlock()
	if t.woken {
		return
	}
	t.woken = true
	if t.open {
		c.pushSubscription(t)
	}
}

// stayOpen makes t the sink of a subscription whose Serve has returned.
func (c *conn) stayOpen(t *task) {
	t.msg, t.reply, t.turn = nil, nil, 0
	c.pushes.mu.Lock()
	defer c.pushes.mu.Unlock()
	t.open = true
	if t.woken {
		c.pushSubscription(t)
	}
}

// pushSubscription needs pushes.mu.
func (c *conn) pushSubscription(t *task) {
	c.pushes.woken = append(c.pushes.woken, t)
	c.startPushing()
}

// startPushing needs pushes.mu.
func (c *conn) startPushing() {
	if !c.pushes.running {
		c.pushes.running = true
		c.busy.Add(1)
		go c.push()
	}
}

func (c *conn) push() {
	defer c.end()
	p := &c.pushes
	for {
		p.mu.Lock()
		session, woken := p.session, p.woken
		if !session && len(woken) == 0 {
			p.running = false
			p.mu.Unlock()
			return
		}
		p.session, p.woken = false, nil
		for _, t := range woken {
			t.woken = false // before it is asked: what comes later wakes it again
		}
		p.mu.Unlock()

		// Errors are the output's, which tells the connection itself.
		if session {
			c.session.Flush(c.out.put)
		}
		for _, t := range woken {
			t.call.Flush(c.out.put)
		}
		c.out.flush()
	}
}

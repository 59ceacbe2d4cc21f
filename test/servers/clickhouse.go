package servers

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// ClickHouseClusterName is what the servers of RunClickHouse call the cluster that they form.
const ClickHouseClusterName = "main"

// ClickHouse is one or more running ClickHouse servers that form a cluster, each of them a shard. Their user parlance
// may do everything; only its password opens the door, so that whoever answers on a port is one of these servers.
type ClickHouse struct {
	Addresses      []string
	User, Password string

	account account
	program string
	nodes   []*clickHouseNode
}

type clickHouseNode struct {
	folder  string
	port    int
	process *process
}

// StartClickHouse starts one server and returns how to reach it: clickhouse://user:password@host:port/default.
func StartClickHouse(t testing.TB) (dsn string) {
	t.Helper()
	c := RunClickHouse(t, 1, "UTC")
	return fmt.Sprintf("clickhouse://%s:%s@%s/default", c.User, c.Password, c.Addresses[0])
}

// RunClickHouse starts some servers whose times without a zone are of one.
func RunClickHouse(t testing.TB, nodes int, zone string) *ClickHouse {
	t.Helper()
	c := &ClickHouse{
		User: "parlance", Password: rand.Text(),
		program: find(t, "clickhouse-server", "/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server", "/usr/local/bin/clickhouse-server"),
		account: unprivileged(t, "clickhouse", "nobody"),
	}
	for range nodes {
		c.nodes = append(c.nodes, &clickHouseNode{folder: c.account.folder(t)})
	}
	t.Cleanup(func() {
		for i := range c.nodes {
			c.Stop(t, i)
		}
	})
	var err error
	for range 5 { // another program may take a port between the look and the start
		c.Addresses = nil
		for _, n := range c.nodes {
			n.port = FreePort(t)
			c.Addresses = append(c.Addresses, net.JoinHostPort("127.0.0.1", strconv.Itoa(n.port)))
		}
		if err = c.configure(zone); err != nil {
			t.Fatal(err)
		}
		if err = c.run(); err == nil {
			return c
		}
		for i := range c.nodes {
			c.Stop(t, i)
		}
	}
	t.Fatal(err)
	return nil
}

func (c *ClickHouse) run() error {
	for i := range c.nodes {
		if err := c.start(i); err != nil {
			return err
		}
	}
	return nil
}

// configure writes the two files of each server.
func (c *ClickHouse) configure(zone string) error {
	var shards strings.Builder
	for _, n := range c.nodes {
		fmt.Fprintf(&shards, "<shard><replica><host>127.0.0.1</host><port>%d</port><user>%s</user><password>%s</password></replica></shard>", n.port, c.User, c.Password)
	}
	users := fmt.Sprintf(`<yandex><profiles><default><max_memory_usage>1000000000</max_memory_usage></default></profiles>
<users><%[1]s><password>%[2]s</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></%[1]s></users>
<quotas><default></default></quotas></yandex>`, c.User, c.Password)
	for _, n := range c.nodes {
		config := fmt.Sprintf(`<yandex><logger><level>warning</level><log>%[1]s/server.log</log><errorlog>%[1]s/error.log</errorlog></logger>
<tcp_port>%[2]d</tcp_port><listen_host>127.0.0.1</listen_host><max_connections>200</max_connections><mark_cache_size>10000000</mark_cache_size>
<path>%[1]s/data/</path><tmp_path>%[1]s/tmp/</tmp_path><user_files_path>%[1]s/files/</user_files_path><format_schema_path>%[1]s/formats/</format_schema_path>
<users_config>%[1]s/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database><timezone>%[3]s</timezone>
<remote_servers><%[4]s>%[5]s</%[4]s></remote_servers></yandex>`, n.folder, n.port, zone, ClickHouseClusterName, shards.String())
		for name, text := range map[string]string{"users.xml": users, "config.xml": config} {
			if err := os.WriteFile(filepath.Join(n.folder, name), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *ClickHouse) start(i int) (err error) {
	n := c.nodes[i]
	_ = os.Remove(n.status())
	n.process, err = start(c.account.command(n.folder, c.program, "--config-file="+filepath.Join(n.folder, "config.xml")), filepath.Join(n.folder, "output.log"))
	if err != nil {
		return err
	}
	return n.process.until(n.ready)
}

func (n *clickHouseNode) status() string { return filepath.Join(n.folder, "data", "status") }

// ready reads the file that the server keeps of itself: the process that answers must be the one that was started.
func (n *clickHouseNode) ready() bool {
	text, err := os.ReadFile(n.status())
	if err != nil || !strings.Contains(string(text), fmt.Sprintf("PID: %d\n", n.process.cmd.Process.Pid)) {
		return false
	}
	conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(n.port)))
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

// Stop ends one server and all its connections at once. Stopping a stopped server does nothing.
func (c *ClickHouse) Stop(t testing.TB, i int) {
	t.Helper()
	n := c.nodes[i]
	if n.process == nil {
		return
	}
	n.process.stop(t, syscall.SIGKILL)
	n.process = nil
}

// Start starts a server again where it was.
func (c *ClickHouse) Start(t testing.TB, i int) {
	t.Helper()
	if err := c.start(i); err != nil {
		t.Fatal(err)
	}
}

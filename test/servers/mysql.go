package servers

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// MySQL is a running MariaDB server. Its user parlance may do everything; only its password opens the door, so that
// whoever answers on the port is this server.
type MySQL struct {
	DSN string

	account  account
	program  string
	folder   string // of everything; data holds the databases
	port     int
	process  *process
	password string
}

// mysqlZones are the time zones that a server of the tests knows beside UTC.
var mysqlZones = []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai", "Asia/Kolkata"}

// StartMySQL starts a MariaDB server with an empty database and returns how to reach it. The database's own collation
// is one that neither sorts by code point nor minds case; the server knows a few time zones.
func StartMySQL(t testing.TB) (dsn string) {
	t.Helper()
	m := RunMySQL(t)
	m.LoadZones(t)
	return m.DSN
}

// RunMySQL is StartMySQL for tests that stop the server themselves, without time zones.
func RunMySQL(t testing.TB) *MySQL {
	t.Helper()
	m := &MySQL{
		program: find(t, "mariadb-server", "/usr/sbin/mariadbd", "/usr/libexec/mariadbd", "/usr/local/mariadb/bin/mariadbd"),
		account: unprivileged(t, "mysql", "nobody"), password: rand.Text(),
	}
	m.folder = m.account.folder(t)
	m.initialize(t)
	for range 5 { // another program may take the port between the look and the start
		m.port = FreePort(t)
		if err := m.run(); err == nil {
			break
		} else if m.process == nil || !strings.Contains(m.process.output(), "in use") {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { m.Stop(t) })
	m.DSN = fmt.Sprintf("parlance:%s@tcp(127.0.0.1:%d)/parlance", m.password, m.port)
	return m
}

// initialize makes the system tables and what a first start runs.
func (m *MySQL) initialize(t testing.TB) {
	t.Helper()
	install := m.account.command(m.folder, m.beside("mariadb-install-db"), "--no-defaults", "--datadir="+m.data(),
		"--auth-root-authentication-method=socket", "--skip-test-db", "--skip-name-resolve", "--innodb-log-file-size=8M")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("mariadb-install-db: %v\n%s", err, out)
	}
	setup := "CREATE DATABASE IF NOT EXISTS parlance CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;\n" +
		"CREATE USER IF NOT EXISTS parlance@'%' IDENTIFIED BY '" + m.password + "';\n" +
		"GRANT ALL ON *.* TO parlance@'%';\n"
	if err := os.WriteFile(m.setup(), []byte(setup), 0o644); err != nil {
		t.Fatal(err)
	}
}

// beside returns the path of a program that comes with the server.
func (m *MySQL) beside(name string) string {
	for _, folder := range []string{filepath.Dir(m.program), "/usr/bin", "/usr/local/bin"} {
		if path := filepath.Join(folder, name); exists(path) {
			return path
		}
	}
	return name
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (m *MySQL) data() string   { return filepath.Join(m.folder, "data") }
func (m *MySQL) setup() string  { return filepath.Join(m.folder, "setup.sql") }
func (m *MySQL) pid() string    { return filepath.Join(m.folder, "pid") }
func (m *MySQL) socket() string { return filepath.Join(m.folder, "socket") }

// run starts the server on its port and waits until it takes connections.
func (m *MySQL) run() (err error) {
	_ = os.Remove(m.pid())
	m.process, err = start(m.account.command(m.folder, m.program, "--no-defaults",
		"--datadir", m.data(), "--port", strconv.Itoa(m.port), "--bind-address", "127.0.0.1", "--socket", m.socket(), "--pid-file", m.pid(), "--tmpdir", m.folder,
		"--init-file", m.setup(), "--skip-name-resolve", "--skip-log-bin", "--max-connections=100",
		"--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=8M",
	), filepath.Join(m.folder, "log"))
	if err != nil {
		return err
	}
	return m.process.until(m.ready)
}

// ready reads the file that the server keeps of itself: the process that answers must be the one that was started.
func (m *MySQL) ready() bool {
	text, err := os.ReadFile(m.pid())
	return err == nil && strings.TrimSpace(string(text)) == strconv.Itoa(m.process.cmd.Process.Pid)
}

// LoadZones fills the server's time-zone tables with a few zones.
func (m *MySQL) LoadZones(t testing.TB) {
	t.Helper()
	for _, zone := range mysqlZones {
		file := filepath.Join("/usr/share/zoneinfo", zone)
		if !exists(file) {
			t.Skipf("SKIPPED: no time zone %s on this machine; tools/setup.sh installs the Debian package tzdata", zone)
		}
		text, err := m.account.command(m.folder, m.beside("mariadb-tzinfo-to-sql"), file, zone).Output()
		if err != nil {
			t.Fatalf("mariadb-tzinfo-to-sql %s: %v", zone, err)
		}
		client := m.account.command(m.folder, m.beside("mariadb"), "--no-defaults", "--host=127.0.0.1",
			"--port="+strconv.Itoa(m.port), "--user=parlance", "mysql")
		client.Env = append(client.Env, "MYSQL_PWD="+m.password)
		client.Stdin = bytes.NewReader(text)
		if out, err := client.CombinedOutput(); err != nil {
			t.Fatalf("time zone %s: %v\n%s", zone, err, out)
		}
	}
}

// Stop ends the server and all its connections at once. Stopping a stopped server does nothing.
func (m *MySQL) Stop(t testing.TB) {
	t.Helper()
	if m.process == nil {
		return
	}
	m.process.stop(t, syscall.SIGTERM)
	m.process = nil
}

// Start starts the server again where it was.
func (m *MySQL) Start(t testing.TB) {
	t.Helper()
	if err := m.run(); err != nil {
		t.Fatal(err)
	}
}

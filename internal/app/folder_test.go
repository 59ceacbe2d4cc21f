package app

import (
	"path/filepath"
	"syscall"
	"testing"
)

// folderShop is shop over a folder of files.
func folderShop(t *testing.T) (c Config, folder string) {
	t.Helper()
	c, _ = shop(t)
	folder = t.TempDir()
	write(t, folder, "sales.csv", "sale_id,amount\n1,10.10\n2,20.2\n")
	c.Datasources[0].Path, c.Datasources[0].Folder = "", folder
	return c, folder
}

func TestFolderOfFilesServesAndIsReadAgainOnHangup(t *testing.T) {
	c, folder := folderShop(t)
	r := run(t, c)
	if got := r.sum(t, "Sales"); got != shopSum {
		t.Fatalf("got %s", got)
	}
	write(t, folder, "sales.csv", "sale_id,amount\n1,10.10\n2,20.2\n3,0.01\n")
	mark := r.log.mark()
	r.hangup <- syscall.SIGHUP
	r.log.await(t, mark, "models loaded", "namespace=shop")
	if got, want := r.sum(t, "Sales"), `{"code":0,"data":{"amount":30.31},"msg":"success"}`; got != want {
		t.Errorf("got %s", got)
	}
	write(t, folder, "sales.csv", "sale_id,amount\n1\n")
	mark = r.log.mark()
	r.hangup <- syscall.SIGHUP
	r.log.await(t, mark, "files not read again", "datasource=files", "look at line 2")
	if got, want := r.sum(t, "Sales"), `{"code":0,"data":{"amount":30.31},"msg":"success"}`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestFolderIsRelativeToTheConfiguration(t *testing.T) {
	dir := t.TempDir()
	got, err := readConfig(filepath.Join(dir, "parlance.yaml"), []byte("datasources: {files: {type: duckdb, folder: ./data}}"), environment)
	if err != nil || got.Datasources[0].Folder != filepath.Join(dir, "data") {
		t.Errorf("got %+v, %v", got.Datasources, err)
	}
}
